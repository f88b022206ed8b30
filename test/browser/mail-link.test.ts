import { afterEach, expect, test } from 'vitest'
import { linkIn, startMailServer } from '../support/mail-server.ts'
import { signInBy, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const mailServer = await startMailServer()
const site = siteOfFile({ SMTP_URL: mailServer.url, MAIL_FROM: 'skein@example.com' })
const visits = startVisits(site)
afterEach(() => visits.end())

/** Waits for the next mail to Rosa, and returns its link. */
async function mailedLink(): Promise<string> {
  await expect.poll(() => mailServer.mails, { timeout: 20_000 }).toHaveLength(1)
  const [mail] = mailServer.mails.splice(0)
  expect(mail?.to).toEqual(['rosa@example.com'])
  return linkIn(mail?.source ?? '')
}

test('a person joins with a mailed invitation without a password, and later signs in with a link that an admin has mailed', async () => {
  const ada = await visits.signedInAs('ada')
  await ada.goto(`${site.home}/settings/people`)
  await ada.getByLabel('Email addresses').fill('rosa@example.com')
  await ada.getByRole('button', { name: 'Invite', exact: true }).click()
  await ada.getByText('The invitation was sent to rosa@example.com.').waitFor()
  const { page: rosa } = await visits.open()
  await rosa.goto(await mailedLink())
  await rosa.getByText('Without one, you sign in with a link by email.').waitFor()
  await rosa.getByRole('button', { name: 'Join' }).click()
  await rosa.getByRole('button', { name: 'Rosa, your menu' }).waitFor()

  await ada.getByRole('button', { name: 'Actions for Rosa' }).click()
  await ada.getByRole('menuitem', { name: 'Mail a sign-in link' }).click()
  const dialog = ada.getByRole('dialog', { name: 'Sign-in link for Rosa' })
  await dialog
    .getByText('A link that signs in Rosa was sent to rosa@example.com. It works once, within an hour.')
    .waitFor()
  expect(await dialog.getByRole('textbox').count()).toBe(0)
  const { page: again } = await visits.open()
  await signInBy(again, await mailedLink())
  await again.getByRole('button', { name: 'Rosa, your menu' }).waitFor()
})
