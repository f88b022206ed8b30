import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programOf } from '../../src/cli/program.ts'
import { makeWorld } from '../support/factories.ts'
import { startLiveService } from '../support/live-service.ts'
import { operatorToken } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startLiveService()
const world = await makeWorld(service)
const { db } = world.operator

/** Runs the command with a file of this content. Returns what it printed, and the message of its failure. */
async function deactivate(content: string, ...options: string[]) {
  const file = join(service.dataDir, 'leavers.csv')
  await writeFile(file, content)
  const written: string[] = []
  const program = programOf({
    env: { OPERATOR_TOKEN: operatorToken },
    write: (text) => written.push(text),
  })
  const url = `http://127.0.0.1:${service.port}`
  const failed = await program
    .parseAsync(['--url', url, 'accounts', 'deactivate', '--csv', file, ...options], { from: 'user' })
    .then(
      () => undefined,
      (error: Error) => error.message,
    )
  return { text: written.join(''), failed }
}

const newEmail = async () => (await signedIn(service, world, 'member')).email
const isActive = async (email: string) =>
  (await db.account.findUniqueOrThrow({ where: { email } })).deactivatedAt === null
const entriesOf = async (email: string) =>
  db.auditEntry.count({ where: { action: 'deactivateAccount', objectName: email } })

describe('accounts deactivate --csv', () => {
  test('deactivates the account of each row, and reports what each row led to', async () => {
    const [first, second] = [await newEmail(), await newEmail()]
    const content = `${first.toUpperCase()}\r\n\r\nnobody@example.com\r\nnot an address\r\n"${second}"\r\n`
    const { text, failed } = await deactivate(content, '--yes')
    expect(text.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['Line', 'Email', 'Result'],
      ['1', first.toUpperCase(), 'deactivated'],
      ['3', 'nobody@example.com', 'unknown'],
      ['4', 'not an address', 'invalid'],
      ['5', second, 'deactivated'],
      [''],
    ])
    expect(failed).toBe('2 of 4 rows have no account.')
    expect([await isActive(first), await isActive(second)]).toEqual([false, false])
    expect([await entriesOf(first), await entriesOf(second)]).toEqual([1, 1])
  })

  test('prints JSON with --json, although rows have failed', async () => {
    const email = await newEmail()
    const { text, failed } = await deactivate(`${email}\nnobody@example.com\n`, '--yes', '--json')
    expect(JSON.parse(text)).toEqual([
      { line: 1, email, result: 'deactivated' },
      { line: 2, email: 'nobody@example.com', result: 'unknown' },
    ])
    expect(failed).toBe('1 of 2 rows have no account.')
  })

  test('reads the column that the header names, and can be repeated', async () => {
    const email = await newEmail()
    const content = `\uFEFFName;E-Mail\n"Lovelace; Ada";${email}\n`
    expect(await deactivate(content, '--yes')).toMatchObject({
      text: expect.stringMatching(new RegExp(`2 +${email} +deactivated`)),
      failed: undefined,
    })
    expect(await deactivate(content, '--yes')).toMatchObject({
      text: expect.stringContaining('already deactivated'),
      failed: undefined,
    })
    expect(await entriesOf(email)).toBe(1)
  })

  test('changes nothing with --dry-run, and nothing without a confirmation', async () => {
    const email = await newEmail()
    expect((await deactivate(`email\n${email}\n`, '--dry-run')).text).toContain('would be deactivated')
    expect((await deactivate(`${email}\n`)).failed).toContain('Add --yes to confirm.')
    expect(await isActive(email)).toBe(true)
  })

  test.each([
    'comment,email\nhandover;BOSS,ada@example.com\n',
    'note,email\nleft, replaced by BOSS,ada@example.com\n',
    'Name;Contact;Email\nLovelace, Ada;BOSS;ada@example.com;x\n',
    'Vorgesetzter;E-Mail-Adresse\nBOSS;ada@example.com\n',
    'email,email\nBOSS,ada@example.com\n',
    'email\n"BOSS\nada@example.com"\n',
  ])('never deactivates an address of another column, as in %j', async (content) => {
    const boss = await newEmail()
    expect((await deactivate(content.replace('BOSS', boss), '--yes')).failed).toBeTruthy()
    expect(await isActive(boss)).toBe(true)
  })

  test('refuses a file without an address, and an address beside the file', async () => {
    expect((await deactivate('email\n', '--yes')).failed).toBe('The file has no email address.')
    expect((await deactivate('a@example.com\n', 'b@example.com', '--yes')).failed).toContain('either')
  })
})
