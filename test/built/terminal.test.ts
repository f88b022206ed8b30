import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, startCommand } from '../support/process.ts'
import { spawnOnTerminal } from '../support/terminal.ts'

/** Runs a program on its own terminal. The output that it returns contains no color codes. */
function onTerminal(words: string[], env: Record<string, string>) {
  const { PATH = '' } = process.env
  const child = spawnOnTerminal(words, { cwd: env.HOME, env: { PATH, TERM: 'xterm', ...env } })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  return {
    child,
    output: () => stripVTControlCharacters(output),
    type: (text: string) => child.stdin.write(text),
  }
}

describe('a start on a terminal', () => {
  let folder = ''
  let service: ReturnType<typeof onTerminal>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skein-test-'))
    const env = { HOME: folder, PORT: String(await freePort()), DATA_DIR: join(folder, "it's data") }
    service = onTerminal([process.execPath, ...startCommand], env)
    await shown('admin -- welcome')
    // Without this file, zsh asks how to set it up.
    await writeFile(join(folder, '.zshrc'), '')
  })
  afterAll(async () => {
    service.type('\u0003')
    await once(service.child, 'close')
  })

  /** Waits for a text on the terminal. There is no time limit, because the start is slow on a busy machine. */
  async function shown(text: string): Promise<void> {
    while (!service.output().includes(text)) {
      if (service.child.exitCode !== null) throw new Error(`The service exited: ${service.output()}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  test('shows progress, readable log lines, and a welcome without permanent secrets', async () => {
    const starter = JSON.parse(await readFile(join(folder, "it's data/starter.json"), 'utf8'))
    expect(service.output()).toContain('Creating the database in ')
    expect(service.output()).toMatch(/^\d\d:\d\d:\d\d INFO {2}Server listening at http:/m)
    expect(service.output()).toContain(`${starter.baseURL}/explorer?code=`)
    expect(service.output()).toContain(`${starter.baseURL}/docs`)
    for (const secret of [starter.clientSecret, starter.operatorToken, starter.webhookURL]) {
      expect(service.output()).not.toContain(secret)
    }
    expect(service.output().split('\n').length).toBeLessThan(30)
  })

  const isMissing = (shell: string) => spawnSync(shell, ['--version']).error !== undefined

  test.skipIf(isMissing('bash'))('the command of the welcome works when pasted into bash', () =>
    paste('bash'),
  )
  test.skipIf(isMissing('zsh'))('the command of the welcome works when pasted into zsh', () => paste('zsh'))

  async function paste(shell: string): Promise<void> {
    const pasted = /^ {2}curl .*$/m.exec(service.output())?.[0].trim() ?? ''
    const terminal = onTerminal([shell, '-i'], { HOME: folder, PS1: '$ ' })
    terminal.type(`${pasted}\necho "answered with $?"\nexit\n`)
    await once(terminal.child, 'close')
    expect(terminal.output()).toContain('answered with 0')
    expect(terminal.output()).toMatch(/\{"messageID":"msg_\w{27}"[^\n]*\}\r?\n/)
  }
})
