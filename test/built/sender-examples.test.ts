import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { senders } from '../../src/console/settings/webhooks/senders/senders.ts'
import { program as alertmanagerProgram, startAlertmanager } from '../support/alertmanager.ts'
import { readGitHubStep, readJenkinsStep } from '../support/build-steps.ts'
import { repository } from '../support/process.ts'
import { isTested, jsonFrom } from '../support/programs.ts'
import { chatOf, startSenderExamples } from '../support/sender-examples.ts'
import { grafanaBody, longQueue, resolved } from '../webhooks/formats/payloads/alert-bodies.ts'
import { githubBody } from '../webhooks/formats/payloads/github-bodies.ts'
import { mergeRequest } from '../webhooks/formats/payloads/gitlab-bodies.ts'
import { issueBody } from '../webhooks/formats/payloads/sentry-bodies.ts'

const { webhookURL, exampleFor, run } = await startSenderExamples()

test('each sender of the page of a webhook has a test', () => {
  const tested =
    'curl Slack-compatible Discord-compatible Alertmanager Grafana GitHub GitLab Sentry Jenkins Python Go'
  const others = ['GitHub Actions', 'Any JSON']
  expect(senders.map(({ name }) => name).toSorted()).toEqual([...tested.split(' '), ...others].toSorted())
})

/** Runs an example, and checks the message that it posts. */
async function expectGreeting(name: string, command: [string, ...string[]], file: string, text: string) {
  const { example, received } = await exampleFor(name)
  const output = await run(command, file, example, { GOPROXY: 'off' })
  expect(JSON.parse(output)).toMatchObject({ created: true, threadCreated: false })
  expect(await received()).toEqual(chatOf({ text, state: null }))
}

test('the command for curl posts the name of the webhook, even if the name has a quote', () =>
  expectGreeting('curl', ['bash', '-e'], 'hello.sh', "Hello from **Ada's webhook**"))

test('the program for Python posts a message', () =>
  expectGreeting('Python', ['python3'], 'hello.py', 'Hello from **Python**'))

// From Go 1.20 on, the first run compiles the packages that the program imports.
test.skipIf(!isTested('go', 'version'))('the program for Go posts a message', { timeout: 300_000 }, () =>
  expectGreeting('Go', ['go', 'run'], 'main.go', 'Hello from **Go**'),
)

test("Slack's library posts a text and a state to the URL for Slack-compatible programs", async () => {
  const { example, received } = await exampleFor('Slack-compatible')
  const program = join(repository, 'test/webhooks/senders/send-with-slack-webhook.mjs')
  const message = { text: 'Deploy *failed*', attachments: [{ color: 'danger', text: 'No answer' }] }
  const answers = await jsonFrom(process.execPath, [program, example, JSON.stringify([message])])
  expect(answers).toEqual([{ text: 'ok' }])
  expect(await received()).toEqual(chatOf({ text: 'Deploy **failed**\n\nNo answer', state: 'failed' }))
})

/** Posts a body as JSON, and returns the status of the answer. */
async function statusOf(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

test('a body of Discord posts a text and a state to the URL for Discord-compatible programs', async () => {
  const { example: url, received } = await exampleFor('Discord-compatible')
  const message = { content: 'Deploy **failed**', embeds: [{ color: 0xed4245, title: 'No answer' }] }
  expect(await statusOf(url, message)).toBe(204)
  expect(await received()).toEqual(chatOf({ text: 'Deploy **failed**\n\n**No answer**', state: 'failed' }))
})

test('the URL for any JSON asks for templates', async () => {
  const { example: url } = await exampleFor('Any JSON')
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: '{"a":1}' })
  expect(await answer.json()).toMatchObject({ status: 400, errors: [{ field: 'templates.text' }] })
})

describe('an alert keeps one message, and its thread is closed when it is resolved', () => {
  function threadOf(subject: string, state: 'failed' | 'ok', text: string) {
    const messages = [{ text: expect.stringContaining(text), state }]
    return [{ subject, state, isClosed: state === 'ok', messages }]
  }

  test.skipIf(!isTested(alertmanagerProgram))('with the receiver for Alertmanager', async () => {
    const { example, received } = await exampleFor('Alertmanager')
    const times = 'group_wait: 0s, group_interval: 200ms'
    const route = `route: { receiver: skein, group_by: [alertname], ${times} }\n`
    const alertmanager = await startAlertmanager(route + example)
    const post = (seconds: number) => {
      const endsAt = new Date(Date.now() + seconds * 1000).toISOString()
      const startsAt = '2026-11-26T10:00:00Z'
      return alertmanager.post([{ labels: { alertname: 'DiskFull' }, startsAt, endsAt }])
    }
    await post(600)
    await expect.poll(received).toEqual(threadOf('DiskFull', 'failed', '**DiskFull**'))
    await post(0)
    await expect.poll(received).toEqual(threadOf('DiskFull', 'ok', '**DiskFull**, resolved'))
  })

  test('with the URL for Grafana', async () => {
    const { example: url, received } = await exampleFor('Grafana')
    const post = async (body: object) => expect(await statusOf(url, body)).toBe(200)
    await post(grafanaBody([longQueue]))
    expect(await received()).toEqual(threadOf('Queue is long (grafana_folder=Shop)', 'failed', 'Mails wait'))
    await post(grafanaBody([resolved(longQueue)]))
    expect(await received()).toEqual(threadOf('Queue is long (grafana_folder=Shop)', 'ok', ', resolved'))
  })

  test('with the URL for Sentry', async () => {
    const { example: url, received } = await exampleFor('Sentry')
    const subject = 'ReferenceError: total is not defined'
    expect(await statusOf(url, issueBody('created'))).toBe(200)
    expect(await received()).toEqual(threadOf(subject, 'failed', 'FRONT-END-9'))
    expect(await statusOf(url, issueBody('resolved', { status: 'resolved' }))).toBe(200)
    expect(await received()).toEqual(threadOf(subject, 'ok', 'Resolved'))
  })
})

test.each([
  ['GitHub', githubBody('pull_request.opened'), 'Hello-World#2 Update the README with new information.'],
  ['GitLab', mergeRequest('open', '2026-01-31T12:00:00Z'), 'gitlab-test!1 MS-Viewport'],
])('the URL for %s opens a thread', async (name, body, subject) => {
  const { example: url, received } = await exampleFor(name)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200)
  const messages = [{ text: expect.stringContaining('\nOpen'), state: null }]
  expect(await received()).toEqual([{ subject, state: null, isClosed: false, messages }])
})

describe('a build keeps one message, whose state changes', () => {
  test('with the step for GitHub Actions', async () => {
    const { example, received } = await exampleFor('GitHub Actions')
    const url = 'https://github.com/example/shop/actions/runs/18273645'
    const variables = {
      GITHUB_WORKFLOW: 'CI',
      GITHUB_JOB: 'build',
      GITHUB_REF_NAME: 'feature/new_menu',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'example/shop',
      GITHUB_RUN_ID: '18273645',
    }
    const runStep = (status: string, step = example, index = '0') => {
      const secrets = { SKEIN_URL: webhookURL }
      const contexts = { secrets, job: { status }, strategy: { 'job-index': index } }
      const { script, env } = readGitHubStep(step, contexts)
      return run(['bash', '-e'], 'step.sh', script, { ...variables, ...env })
    }
    const message = (state: string) => ({ text: `[CI / build on feature/new_menu](${url}): ${state}`, state })
    await runStep('success', example.replace(/STATE: .*/, 'STATE: running'))
    expect(await received()).toEqual(chatOf(message('running')))
    await runStep('failure')
    expect(await received()).toEqual(chatOf(message('failed')))
    // The second attempt of a run has the same ID.
    await runStep('success')
    expect(await received()).toEqual(chatOf(message('ok')))
    // Another job of the matrix was cancelled.
    await runStep('cancelled', example, '1')
    expect(await received()).toEqual(chatOf(message('ok'), message('failed')))
  })

  test('with the post section for Jenkins', async () => {
    const { example, received } = await exampleFor('Jenkins')
    const urlOf = (number: number) => `https://ci.example.com/job/Web%20shop/${number}/`
    const runStep = (currentResult: string, number = 12, section = example) => {
      const contexts = { credentials: { 'skein-url': webhookURL }, currentBuild: { currentResult } }
      const { script, env } = readJenkinsStep(section, contexts)
      const variables = { JOB_NAME: 'Web shop', BUILD_DISPLAY_NAME: `#${number}`, BUILD_URL: urlOf(number) }
      return run(['sh', '-xe'], 'step.sh', script, { ...variables, ...env })
    }
    const message = (state: string, number = 12) => ({
      text: `[Web shop #${number}](${urlOf(number)}): ${state}`,
      state,
    })
    await runStep('SUCCESS', 12, example.replace(/STATE=\$\{.*\}/, 'STATE=running'))
    expect(await received()).toEqual(chatOf(message('running')))
    await runStep('UNSTABLE')
    expect(await received()).toEqual(chatOf(message('failed')))
    await runStep('SUCCESS')
    expect(await received()).toEqual(chatOf(message('ok')))
    await runStep('FAILURE', 13)
    expect(await received()).toEqual(chatOf(message('ok'), message('failed', 13)))
  })
})
