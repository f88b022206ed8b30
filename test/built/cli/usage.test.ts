import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandLine } from './command-line.ts'

const skein = commandLine('http://127.0.0.1:9', 'token-of-the-tests')

describe.concurrent('the command line without a server', { timeout: 60_000 }, () => {
  test.each([
    [
      '--help',
      [/^ {2}webhooks +URLs that/m, /^Examples:\n {2}skein admin workspaces create/m, /OPERATOR_TOKEN/],
    ],
    [
      'webhooks --help',
      [/^ {2}rotate-key \[options\] <webhook> +Issue a/m, /^Examples:\n {2}skein admin webhooks list$/m],
    ],
    [
      'apps create --help',
      [
        /^ {2}name +the name/m,
        /^ {2}--redirect-uri <uri> /m,
        /^Examples:\n {2}skein admin apps create "Release/m,
      ],
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

describe('a command fails if the response', () => {
  const json = { 'content-type': 'application/graphql-response+json' }
  test.each<[string, number, Record<string, string>, string | undefined, RegExp]>([
    [
      'is a redirect',
      302,
      { location: 'https://elsewhere.example' },
      '',
      /^The response from http:\S+ \(status 302, redirect to https:\/\/elsewhere\.example\) is not from Skein's GraphQL API\. .*--url or BASE_URL\.$/,
    ],
    [
      'is a page',
      200,
      { 'content-type': 'text/html' },
      '<p>',
      /^The response from http:\S+ \(status 200\) is not from Skein's GraphQL API\./,
    ],
    ['is not valid JSON', 200, json, '{', /^The response from http:\S+ is not valid JSON\.$/],
    ['ends too early', 200, json, undefined, /^The server at http:\S+ did not respond \(\w+\)\./],
  ])('%s', async (_case, status, headers, body, message) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-length': body?.length ?? 9, ...headers })
      if (body === undefined) response.write('{', () => response.destroy())
      else response.end(body)
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const other = commandLine(`http://127.0.0.1:${port}`, 'token-of-the-tests')
    await expect(other.text('workspaces list')).rejects.toThrow(message)
  })
})
