import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { OAuthClient } from './oauth-client.ts'

/** Debian's Python, which can import Debian's packages, or the program that PYTHON names. */
const program = process.env.PYTHON ?? '/usr/bin/python3'

export function isInstalled(module: string): boolean {
  return spawnSync(program, ['-c', `import ${module}`]).status === 0
}

/** Runs a script of this folder. */
export function pythonClient(script: string): OAuthClient {
  return async (settings, visit) => {
    const child = spawn(program, [join(import.meta.dirname, script), JSON.stringify(settings)])
    const errors = text(child.stderr)
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const readLine = async (): Promise<string> => {
      const { done, value } = await lines.next()
      if (done) throw new Error(`${script} failed: ${await errors}`)
      return value
    }
    try {
      child.stdin.write(`${await visit(await readLine())}\n`)
      return JSON.parse(await readLine())
    } finally {
      child.kill()
    }
  }
}
