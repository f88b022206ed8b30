import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { problemsOf } from './page-problems.ts'
import { operate, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
let ada: Page

beforeAll(async () => {
  ada = await visits.signedInAs('ada')
})

afterEach(() => visits.expectNoProblems())

const field = (name: string) => ada.getByRole('textbox', { name, exact: true })
const button = (name: string) => ada.getByRole('button', { name, exact: true })

async function expectAccessible(name: string): Promise<void> {
  const problems: string[] = []
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const) {
    await ada.emulateMedia({ colorScheme })
    await ada.setViewportSize({ width, height: 800 })
    problems.push(...(await problemsOf(ada, `${name}, ${colorScheme}, ${width}`)))
  }
  await ada.emulateMedia({ colorScheme: null })
  await ada.setViewportSize({ width: 1280, height: 800 })
  expect(problems).toEqual([])
}

test('templates are written from an example, tried with a received body, and saved', async () => {
  const { workspaceID, groupID } = site.starter
  const made = await operate(site, 'createWebhook', { workspaceID, name: 'Checks' }, 'url webhook { id }')
  const url = `${made.url}/template?target=${groupID}`
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json' }
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  expect((await post({ id: 'o', name: 'Other', status: 'up' })).status).toBe(400)
  expect((await post({ id: 'k', name: 'Nightly *backup*', status: 'down' })).status).toBe(400)
  await ada.goto(`${site.home}/settings/webhooks/${made.webhook.id}`)
  await button('Write templates').click()
  await ada
    .getByText('There is no received body', { exact: false })
    .or(button('Show the preview'))
    .first()
    .waitFor()
  await ada.getByRole('combobox', { name: 'Copy an example' }).selectOption('Healthchecks')
  expect(await field('Text').inputValue()).toContain('{{ name }}')
  await ada.getByText('In Healthchecks, open', { exact: false }).waitFor()
  await expect
    .poll(async () => {
      if (await button('Show the preview').isVisible()) return true
      await button('Look again').click()
      return false
    })
    .toBe(true)
  await button('Show the preview').click()
  const status = ada.getByRole('status').filter({ hasText: 'is down' })
  await status.getByText('Nightly *backup*', { exact: true }).waitFor()
  await status.getByText('State: failed').waitFor()
  await expectAccessible('templates with a preview')

  const bodies = ada.getByRole('combobox', { name: 'Received body' })
  await bodies.selectOption({ index: 1 })
  await expect.poll(() => status.count()).toBe(0)
  await bodies.selectOption({ index: 0 })
  await status.getByText('State: failed').waitFor()

  await field('Text').fill('{{ name | where: "x" }}')
  await expect.poll(() => status.count()).toBe(0)
  await button('Show the preview').click()
  await expect.poll(() => field('Text').getAttribute('aria-invalid')).toBe('true')
  await ada
    .getByText('This template has a problem in line 1: there is no filter "where"', { exact: false })
    .waitFor()
  await button('Save the templates').click()
  await expect.poll(() => field('Text').getAttribute('aria-invalid')).toBe('true')
  await expectAccessible('templates with a problem')

  await field('Text').fill('{{ name }}: {{ status }}')
  expect(await field('Text').getAttribute('aria-invalid')).not.toBe('true')
  await button('Show all fields').press('Enter')
  await field('Name of the sender').fill('Healthchecks')
  await button('Save the templates').press('Enter')
  await ada.getByText('Saved', { exact: true }).waitFor()
  const answer = await post({ id: 'k', name: 'Nightly *backup*', status: 'down' })
  expect(await answer.json()).toMatchObject({ messages: [{ created: true, threadCreated: true }] })

  await ada.reload()
  expect(await field('Text').inputValue()).toBe('{{ name }}: {{ status }}')
  expect(await field('Name of the sender').inputValue()).toBe('Healthchecks')
  await field('Text').fill('')
  await ada.getByRole('combobox', { name: 'Copy an example' }).selectOption('Jira')
  expect(await field('Name of the sender').count()).toBe(0)
})
