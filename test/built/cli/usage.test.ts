import { describe, expect, test } from 'vitest'
import { commandLine } from './command-line.ts'

const skein = commandLine('http://127.0.0.1:9', 'token-of-the-tests')

describe.concurrent('the command line without a server', { timeout: 60_000 }, () => {
  test.each([
    ['--help', [/^ {2}webhooks +URLs that/m, /^Examples:\n {2}skein workspaces create/m, /OPERATOR_TOKEN/]],
    ['webhooks --help', [/^ {2}rotate-key <webhook> +Issue a/m, /^Examples:\n {2}skein webhooks list$/m]],
    [
      'apps create --help',
      [/^ {2}name +the name/m, /^ {2}--redirect-uri <uri> /m, /^Examples:\n {2}skein apps create "Release/m],
    ],
  ])('%s prints help with examples', async (words, expected) => {
    const { code, stdout, stderr } = await skein.spawned(words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const each of expected) expect(stdout).toMatch(each)
  })

  test.each([
    ['workspace list', /unknown command 'workspace'\n\(Did you mean workspaces\?\)/],
    ['users creat', /unknown command 'creat'\n\(Did you mean create\?\)/],
    ['users create', /missing required argument 'name'/],
    ['users update usr_1', /nothing to change/],
    [
      'members set-role Builds Ada boss',
      /'boss' is invalid for argument 'role'. Allowed choices are admin, member\./,
    ],
    ['events --type boss', /'boss' is invalid\. Allowed choices are messageCreated, messageUpdated, /],
    ['endpoints update end_1 --type message.created', /Allowed choices are messageCreated, /],
    ['operator-tokens create Ada --days soon', /It must be a whole number from 1\./],
    ['events --count 0', /It must be a whole number from 1\./],
    ['workspaces list --url nonsense', /must be an http or https URL/],
  ])('"%s" is a usage error', async (words, expected) => {
    expect(await skein.spawned(words)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(expected),
    })
  })

  test.each([
    ['no server', {}, /^The server at http:\/\/127.0.0.1:9 did not respond /],
    ['no token', { OPERATOR_TOKEN: '', DATA_DIR: '/nowhere' }, /\/nowhere\/operator-token does not exist/],
    ['a broken token', { OPERATOR_TOKEN: 'token of\nthe-tests' }, /The token in OPERATOR_TOKEN is not valid/],
  ])('%s is reported in a sentence, without the token or a stack trace', async (_case, env, expected) => {
    const { code, stdout, stderr } = await skein.spawned('workspaces list', env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(expected)
    expect(stderr).not.toMatch(/the-tests|\n {4}at /)
  })
})
