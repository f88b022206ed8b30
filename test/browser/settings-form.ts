import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Presses a button, and then the button with the same name in the confirmation dialog. */
export async function pressAndConfirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  const dialog = page.getByRole('dialog')
  // The button that opened the dialog can have a longer accessible name.
  await dialog.getByRole('button').last().click()
  await dialog.waitFor({ state: 'hidden' }).catch(async (cause) => {
    // If the service has refused the action, the dialog says why.
    throw new Error(`The dialog is still open: ${await dialog.innerText()}`, { cause })
  })
}

/** Copies a value with the button beside it, and returns what is in the clipboard. */
export async function copied(page: Page, name: string): Promise<string> {
  const button = page.getByRole('button', { name: `Copy ${name}` })
  await button.click()
  // The outcome is in the button or beside it.
  await button.locator('..').getByText('Copied', { exact: true }).waitFor()
  return page.evaluate<string>('navigator.clipboard.readText()')
}

/** Returns a secret that the page shows, after it has checked that the button copies it. */
export async function secretOnce(page: Page, label: string, name = `the ${label.toLowerCase()}`) {
  const group = page.getByRole('group', { name: label })
  const secret = await group.getByRole('textbox').inputValue()
  expect(secret).not.toBe('')
  expect(await copied(page, name)).toBe(secret)
  return secret
}
