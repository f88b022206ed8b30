import type { FieldError } from '../../errors.ts'
import type { Account } from '../../generated/prisma/client.ts'
import { type HTML, html } from '../../http/pages/html.ts'
import { paths } from './paths.ts'

const labels: Record<string, string> = {
  current: 'The password that you entered',
  password: 'The new password',
}

export function passwordForm(
  { email, passwordHash }: Pick<Account, 'email' | 'passwordHash'>,
  mayReset: boolean,
  problem: FieldError | undefined,
  back: string | undefined,
): HTML {
  const hasPassword = passwordHash !== null
  return html`
${problem && html`<p class="error" role="alert">${labels[problem.field] ?? problem.field} ${problem.message}.</p>`}
<form method="post" action="${paths.password}">
${back !== undefined && html`<input type="hidden" name="continue" value="${back}">`}
<label>Email address <input type="email" autocomplete="username" readonly value="${email}"></label>
${
  hasPassword &&
  !mayReset &&
  html`<label>Current password <input name="current" type="password" autocomplete="current-password" required></label>`
}
<label>New password, at least 12 characters
<input name="password" type="password" autocomplete="new-password" required minlength="12"></label>
<button>${hasPassword ? 'Change the password' : 'Set the password'}</button>
</form>
<p>A new password ends your other sessions.</p>
${back !== undefined && html`<p><a href="${back}">Go back without a new password</a></p>`}`
}
