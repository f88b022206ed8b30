import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { programOf } from '../../../src/cli/program.ts'
import { Skein } from '../../../src/sdk/index.ts'
import { testDatabase } from '../../support/database.ts'
import { adminCommand, freePort } from '../../support/process.ts'
import { operatorToken, startService } from '../../support/service.ts'
import { commandLine } from './command-line.ts'

/** Starts a service whose only workspace is the starter workspace. `run` runs a command, and returns what it prints. */
async function startWithStarter(database?: Awaited<ReturnType<typeof testDatabase>>) {
  const port = await freePort()
  const service = await startService({ PORT: String(port) }, database)
  service.app.eventLog.start()
  const url = await service.app.listen({ port, host: '127.0.0.1' })
  const skein = commandLine(url, operatorToken)
  await skein.spawned('starter')
  const starter = async () => JSON.parse(await readFile(join(service.dataDir, 'starter.json'), 'utf8'))
  const run = async (words: string[], ask?: (question: string) => Promise<string>) => {
    const written: string[] = []
    const env = { OPERATOR_TOKEN: operatorToken, DATA_DIR: service.dataDir }
    const program = programOf({ env, write: (text) => written.push(text), ...(ask && { ask }) })
    await program.parseAsync(['--url', url, ...words], { from: 'user' })
    return written.join('')
  }
  return { service, url, skein, starter, run }
}

const { service, url, skein, starter, run } = await startWithStarter()

describe('the command line with one workspace', () => {
  test('does not need the option --workspace', async () => {
    expect(await run(['groups', 'list'])).toMatch(/ Builds +/)
    expect(await run(['members', 'list', 'builds'])).toMatch(/ Ada +ada@example\.com /)
  })

  test('sends and reads as the starter app, by the name of a group or person', async () => {
    const sent = JSON.parse(await run(['send', 'Builds', 'from **the** terminal', '--json']))
    expect(sent).toEqual({
      messageID: expect.stringMatching(/^msg_/),
      threadID: expect.stringMatching(/^thr_/),
      created: true,
    })
    expect(await run(['read', 'builds', '--last', '1'])).toMatch(
      /^20\d\d-\d\d-\d\d \d\d:\d\d {2}Starter app: from \*\*the\*\* terminal\n$/,
    )
    expect(await run(['read', sent.threadID])).toContain('from **the** terminal')
    await run(['send', 'Grace', 'a DM'])
    expect(await run(['read', 'grace'])).toMatch(/Starter app: a DM\n$/)
  })

  test('sends and reads by email address if the app has the scope for it', async () => {
    await run(['send', 'Linus@example.com', 'found by email'])
    expect(await run(['read', 'linus@example.com'])).toMatch(/Starter app: found by email\n$/)
    await expect(run(['send', 'nobody@example.com', 'x'])).rejects.toThrow(
      'No group or user has the ID, name or email address "nobody@example.com".',
    )
    const { clientID, clientSecret } = JSON.parse(
      await run(
        'apps create Reader --redirect-uri http://localhost:8080/callback --scope workspaces:read --json'.split(
          ' ',
        ),
      ),
    )
    const credentials = join(service.dataDir, 'reader.json')
    await writeFile(credentials, JSON.stringify({ ...(await starter()), clientID, clientSecret }))
    await expect(run(['read', 'ada@example.com', '--credentials', credentials])).rejects.toThrow(
      'lacks the scope users.email:read',
    )
  })

  test('prints no blank lines after a message that ends with newlines', async () => {
    await run(['send', 'Builds', 'one\n\n  two\n\n'])
    expect(await run(['read', 'Builds', '--last', '1'])).toMatch(/ {2}Starter app: one\n\n {6}two\n$/)
  })

  test('uses the server of --url, or else of the credentials, or else of BASE_URL', async () => {
    const credentials = join(service.dataDir, 'elsewhere.json')
    await writeFile(credentials, JSON.stringify({ ...(await starter()), baseURL: 'http://127.0.0.1:1' }))
    expect(await run(['send', 'Builds', 'here', '--credentials', credentials])).toContain('msg_')
    const { code, stderr } = await skein.spawned(['read', 'Builds', '--credentials', credentials])
    expect([code, stderr]).toEqual([1, expect.stringContaining('127.0.0.1:1')])
  })

  test('reuses the thread and the message that have the given keys', async () => {
    const words = [
      'send',
      'Builds',
      'one',
      '--subject',
      'Deploy',
      '--thread-by',
      't',
      '--unique-by',
      'u',
      '--json',
    ]
    const first = JSON.parse(await run(words))
    expect(JSON.parse(await run(words))).toEqual({ ...first, created: false })
  })

  test('prints the events after a cursor, one per line', async () => {
    const { threadID } = JSON.parse(await run(['send', 'Builds', 'zero', '--subject', 'S', '--json']))
    const after = await new Skein(await starter()).latestEventCursor()
    await run(['send', threadID, 'one\n\u001b[2mtwo'])
    expect(await run(['events', '--after', after, '--count', '1'])).toMatch(
      /^20\d\d-\d\d-\d\d \d\d:\d\d {2}messageCreated {2}Starter app: one\\u000a\\u001b\[2mtwo\n$/,
    )
    const lines = await run(['events', '--after', after, '--count', '1', '--json'])
    expect(lines.split('\n')).toEqual([expect.stringContaining(threadID), ''])
    await run(['groups', 'create', 'Testers'])
    expect(await run(['events', '--after', after, '--type', 'groupCreated', '--count', '1'])).toMatch(
      / {2}groupCreated {2}Testers\n$/,
    )
  })

  test('prints live events until it is killed', async () => {
    const words = [...adminCommand, '--url', url, 'events', '--type', 'messageCreated']
    const env = { PATH: process.env.PATH, OPERATOR_TOKEN: operatorToken, DATA_DIR: service.dataDir }
    const child = spawn(process.execPath, words, { env })
    onTestFinished(() => void child.kill())
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    // The command begins with the next event, and does not say when it has begun.
    await expect
      .poll(async () => {
        await run(['send', 'Builds', 'live'])
        return printed
      })
      .toMatch(/ {2}messageCreated {2}Starter app: live\n/)
    expect(child.exitCode).toBeNull()
  })

  test('tests a webhook by its URL', async () => {
    const { webhookURL } = await starter()
    const local = webhookURL.replace('localhost', '127.0.0.1')
    expect(await run(['webhooks', 'test', local])).toMatch(/^The webhook works\.\nMessage +msg_/)
    const wrong = await skein.spawned(['webhooks', 'test', `${local}x`, '--target', 'grp_0'])
    expect([wrong.code, wrong.stderr]).toEqual([1, 'The webhook does not exist, or you cannot see it.\n'])
    expect((await skein.spawned('webhooks test http://x/')).stderr).toContain('not a webhook URL')
  })

  test('does not replace an existing starter workspace', async () => {
    const before = await starter()
    const { code, stderr } = await skein.spawned('starter')
    expect([code, stderr]).toEqual([1, expect.stringContaining('A starter workspace already exists.')])
    expect(await starter()).toEqual(before)
  })

  test('asks before it deletes, and refuses to delete without a terminal or --yes', async () => {
    const { id } = JSON.parse(await run(['users', 'create', 'Edsger', '--json']))
    await expect(run(['users', 'delete', 'Edsger'])).rejects.toThrow('Add --yes')
    await expect(run(['users', 'delete', 'Nobody'])).rejects.toThrow('No user has the ID')
    const questions: string[] = []
    const answer = (text: string) => (question: string) => {
      questions.push(question)
      return Promise.resolve(text)
    }
    await expect(run(['users', 'delete', 'Edsger'], answer('n'))).rejects.toThrow('Nothing was changed.')
    expect(questions).toEqual([expect.stringMatching(/^Edsger: Delete the person.*\[y\/N\] $/)])
    expect(await run(['users', 'list'])).toContain(id)
    await run(['users', 'delete', 'Edsger'], answer('y'))
    expect(await run(['users', 'list'])).not.toContain(id)
  })
})

describe('a command with an unknown or ambiguous name', () => {
  test('fails, and lists similar names or all objects with the name', async () => {
    const { run } = await startWithStarter(await testDatabase())
    await expect(run(['members', 'list', 'build'])).rejects.toThrow(
      /No group has .*"build"\. Did you mean .*\n {2}grp_\w+ {2}Builds/,
    )
    await run(['users', 'create', 'Ada'])
    await expect(run(['members', 'add', 'Builds', 'ada'])).rejects.toThrow(
      /Several users are called "ada"\. Use the ID:\n {2}usr_\w+ {2}Ada <ada@example.com>\n {2}usr_\w+ {2}Ada$/,
    )
    await run(['groups', 'create', 'Ada'])
    await expect(run(['read', 'ada'])).rejects.toThrow(
      /Several groups or users are called "ada"\. Use the ID:\n {2}grp_\w+ {2}Ada\n {2}usr_\w+ {2}Ada <ada@example.com>\n/,
    )
    await expect(run(['members', 'list', 'nothing'])).rejects.toThrow(
      /^No group has the ID or name "nothing"\.$/,
    )
  })
})

test('a command needs the option --workspace if there are several workspaces', async () => {
  const { run } = await startWithStarter(await testDatabase())
  await run(['workspaces', 'create', 'Second'])
  await expect(run(['groups', 'list'])).rejects.toThrow(/several workspaces.*--workspace/)
  expect(await run(['groups', 'list', '--workspace', 'second'])).toContain('General')
  await run(['users', 'create', 'Grace', '--workspace', 'second'])
  await run(['groups', 'create', 'Builds', '--workspace', 'second'])
  const { url } = JSON.parse(await run('webhooks create Bell --workspace second --json'.split(' ')))
  const local = url.replace('localhost', '127.0.0.1')
  expect(await run(['webhooks', 'test', local])).toContain('The webhook works.')
  expect(await run(['webhooks', 'test', local, '--target', 'builds'])).toContain('The webhook works.')
  await expect(run(['webhooks', 'test', local, '--target', 'Leads'])).rejects.toThrow('No group has the ID')
  await expect(run(['webhooks', 'test', local, '--workspace', 'skein starter'])).rejects.toThrow(
    /The webhook belongs to the workspace wks_\w+, not to "skein starter"\./,
  )
  const unknown = `${url.split('/wbh_')[0]}/wbh_${'0'.repeat(27)}/${'x'.repeat(43)}`
  await expect(run(['webhooks', 'test', unknown])).rejects.toThrow(/webhook wbh_0+ does not exist/)
  await expect(run(['send', 'Grace', 'hello', '--workspace', 'second'])).rejects.toThrow(
    /The app in .*starter\.json belongs to the workspace wks_\w+, not to "second"\.$/,
  )
  await expect(run(['read', 'Grace', '--workspace', 'third'])).rejects.toThrow('No workspace has the ID')
  expect(await run(['send', 'Grace', 'hello', '--workspace', 'skein starter'])).toContain('msg_')
})
