import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from './process.ts'

const run = promisify(execFile)
const node = { module: 'nodenext', types: ['node'], lib: ['es2022'] }

/** Installs the package with the built client as `npm install <path>` does, and adds the types of Node. */
export async function installSDK(folder: string): Promise<void> {
  const target = join(folder, 'node_modules/skein')
  await mkdir(target, { recursive: true })
  await cp(join(repository, 'package.json'), join(target, 'package.json'))
  await symlink(join(repository, 'node_modules'), join(target, 'node_modules'))
  await symlink(join(repository, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  await compile(['-p', join(repository, 'src/sdk'), '--outDir', join(target, 'dist')])
}

/** Packs the client as the service serves it, and installs this package in a new project in the folder. */
export async function installTarball(folder: string): Promise<void> {
  const compiled = join(folder, 'compiled')
  await compile(['-p', join(repository, 'src/sdk'), '--outDir', compiled])
  await run(process.execPath, [join(repository, '.config/sdk-package.mjs'), compiled, folder])
  await writeFile(join(folder, 'package.json'), '{}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './skein-sdk.tgz'], { cwd: folder })
}

/** Compiles a program in a folder, by default for Node. Throws the compiler's output. */
export async function compileProgram(
  folder: string,
  source: string,
  options: object = node,
  kind: 'mts' | 'cts' = 'mts',
): Promise<void> {
  const compilerOptions = { ...options, target: 'es2022', strict: true }
  const file = `program.${kind}`
  await writeFile(join(folder, file), source)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  await compile(['-p', folder])
}

export async function runProgram(folder: string): Promise<string> {
  return (await run(process.execPath, ['program.mjs'], { cwd: folder })).stdout
}

async function compile(args: string[]): Promise<void> {
  await run(join(repository, 'node_modules/.bin/tsc'), args).catch(({ stdout }) => {
    throw new Error(`The compiler failed: ${stdout}`)
  })
}
