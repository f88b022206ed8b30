import type { LinkTarget } from '../accounts/links/sign-in-links.ts'
import { mailsLinks, offeredProvider } from '../accounts/sign-in-methods.ts'
import type { Config } from '../config.ts'
import type { FieldError } from '../errors.ts'
import { type HTML, html } from '../http/pages/html.ts'
import { refusal } from '../http/pages/notice.ts'

/** The field for a password. It is required if the person could not sign in again without a password. */
export type PasswordField = { isRequired: boolean; hint: string }

/** A link that somebody has opened. `current` is the email address with which the browser is signed in. */
export type OpenedLink = {
  target: LinkTarget
  current: string | undefined
  /** Present if the link is an invitation. */
  joining?: Joining
}

type Joining = {
  workspace: string
  inviterName: string | null
  name: string
  password: PasswordField | undefined
  /** Where to sign in first. Absent if the form can be sent. */
  signInFirst?: { url: string; label: string } | undefined
}

/** Without sign-in links, only a new password can be the proof with which somebody joins. */
export function passwordFieldFor(config: Config): PasswordField | undefined {
  if (!config.signInMethods.includes('password')) return undefined
  const ways = [mailsLinks(config) && 'a link by email', offeredProvider(config)].filter(Boolean)
  if (ways.length === 0 || !config.signInMethods.includes('link'))
    return { isRequired: true, hint: 'At least 12 characters.' }
  return { isRequired: false, hint: `Without one, you sign in with ${ways.join(' or ')}.` }
}

const labels: Record<string, string> = { name: 'Your name', password: 'The password' }

export function linkView(link: OpenedLink, problem?: FieldError): HTML {
  return link.joining ? joinView(link, link.joining, problem) : signInView(link)
}

function signInView(link: OpenedLink): HTML {
  return html`<h1>Sign in</h1>
<p>You sign in as <strong>${link.target.email}</strong>.</p>
${replacedSession(link)}
<form method="post"><button>Sign in</button></form>
`
}

function joinView(
  link: OpenedLink,
  { workspace, inviterName, name, password, signInFirst }: Joining,
  problem: FieldError | undefined,
): HTML {
  const { email } = link.target
  return html`<h1>Join ${workspace}</h1>
<p>${inviterName === null ? 'You are invited' : `${inviterName} invited you`} as <strong>${email}</strong>.</p>
${
  signInFirst
    ? html`<p>Sign in first. Then you return to this page.</p>
<p><a class="button" href="${signInFirst.url}">${signInFirst.label}</a></p>`
    : joinForm(link, { name, password }, problem)
}
`
}

function joinForm(
  link: OpenedLink,
  { name, password }: Pick<Joining, 'name' | 'password'>,
  problem: FieldError | undefined,
): HTML {
  const { email, provesEmail } = link.target
  return html`${replacedSession(link)}
${
  // The text is the same for every address, so that it does not reveal whether the address has an account.
  !provesEmail &&
  link.current !== email &&
  html`<p>This invitation creates a new account, and works once. If you already have an account with this address,
<a href="/signin">sign in</a> first, and then open the invitation again.</p>`
}
<form method="post">
<label>Your name
<input name="name" autocomplete="name" required maxlength="100" value="${name}" autofocus aria-describedby="name-hint"></label>
<small id="name-hint">Everyone in the workspace sees it.</small>
${password && passwordField(email, password)}
${problem && refusal(`${labels[problem.field] ?? problem.field} ${problem.message}.`)}
<button>Join</button>
</form>
`
}

function passwordField(email: string, { isRequired, hint }: PasswordField): HTML {
  const required = isRequired && html`required`
  return html`<input type="email" name="email" autocomplete="username" value="${email}" readonly hidden>
<label>${isRequired ? 'Password' : 'Password (optional)'}
<input name="password" type="password" autocomplete="new-password" minlength="12" ${required} aria-describedby="password-hint"></label>
<small id="password-hint">${hint}</small>`
}

function replacedSession({ current, target }: OpenedLink): HTML | false {
  return (
    current !== undefined &&
    current !== target.email &&
    html`<p>This browser is signed in as <strong>${current}</strong>. The new session replaces that session.</p>`
  )
}
