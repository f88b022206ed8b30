import type { GrantableWorkspace } from '../../apps/grants/grantable.ts'
import { type HTML, html } from '../../http/pages/html.ts'
import { markLink } from '../../http/pages/html-page.ts'
import { type IconName, icon } from '../../http/pages/icon.ts'
import { notice, refusal } from '../../http/pages/notice.ts'
import { type Scope, scopeDescriptions } from '../../scopes.ts'
import type { AuthorizationParameters, AuthorizationRequest } from './authorization-request.ts'

type Consent = {
  request: AuthorizationRequest
  parameters: AuthorizationParameters
  workspaces: GrantableWorkspace[]
  session: { accountID: string; email: string }
}

/** The icons of the permissions, by their resource, and otherwise by their action. */
const icons: Readonly<Record<string, IconName>> = {
  groups: 'users',
  'users.email': 'users',
  webhooks: 'webhook',
  read: 'eye',
  write: 'pencil',
}

function iconOf(scope: Scope): IconName {
  const [resource = '', action = ''] = scope.split(':')
  return icons[resource] ?? icons[action] ?? 'check'
}

export function consentPage({ request, parameters, workspaces, session }: Consent): HTML {
  const { app, scopes, actsAsUser, redirectURI } = request
  // A name can contain characters that change the direction of the text around it.
  const name = html`<bdi>${app.name}</bdi>`
  const afterwards = html`Afterwards you return to ${new URL(redirectURI).host || redirectURI}.`
  return html`<h1>${name} requests access</h1>
<p>${name} is managed by the workspace <strong><bdi>${app.managedIn}</bdi></strong>. You are signed in as
<strong>${session.email}</strong>.</p>
${app.description?.trim() && html`<p>Its managers describe it as follows:</p><blockquote dir="auto">${app.description.trim()}</blockquote>`}
<p>${name} can:</p>
<ul class="grants">${scopes.map((scope) => html`<li>${icon(iconOf(scope))}<span>${scopeDescriptions[scope]}</span></li>`)}</ul>
${workspaces.length === 0 && refusal(noWorkspace(request))}
<form method="post" action="/oauth/authorize">
${Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="account" value="${session.accountID}">
${
  workspaces.length > 0 &&
  html`<label>Workspace <select name="workspace">${workspaces.map(
    ({ workspaceID, name: workspace }) => html`<option value="${workspaceID}">${workspace}</option>`,
  )}</select></label>`
}
${
  actsAsUser
    ? notice(
        'user',
        html`<strong>${name} will act as you</strong>: its actions look like yours to other people.${installedToo(workspaces)} ${afterwards}`,
      )
    : notice(
        'lock',
        html`${name} will be installed in the workspace, and act as a user of its own. ${afterwards}`,
      )
}
${workspaces.length > 0 && html`<button name="decision" value="allow">Allow</button>`}
<button class="quiet" name="decision" value="cancel">Cancel</button>
<button class="quiet small" name="decision" value="switch">Use another account</button>
</form>
`
}

/** The first row of the card: the picture of the app, which wants to come in. */
export function consentHeader(pictureURL: string | null): HTML {
  return html`<div class="pair">${picture(pictureURL)}${icon('chevronRight')}${markLink}</div>`
}

/** Without a picture, all apps have the same icon, so that no app looks like another product because of its name. */
function picture(url: string | null): HTML {
  if (url !== null) return html`<img class="picture" src="${url}" alt="">`
  return html`<span class="picture" aria-hidden="true">${icon('apps')}</span>`
}

/** Says whether the consent also installs the app. Only an admin can consent to an app that is not installed. */
function installedToo(workspaces: readonly GrantableWorkspace[]): string {
  if (workspaces.every(({ isInstalled }) => isInstalled)) return ''
  if (workspaces.every(({ isInstalled }) => !isInstalled))
    return ' It will also be installed in the workspace.'
  return ' If the workspace that you choose does not have it, it will also be installed there.'
}

function noWorkspace({ app, actsAsUser }: AuthorizationRequest): string {
  const place = app.isListed ? 'a workspace' : `the workspace ${app.managedIn}`
  return actsAsUser
    ? `${app.name} is not installed in a workspace of yours. Ask an admin of ${place} to install it.`
    : `Only an admin can install an app. Ask an admin of ${place} to open this page.`
}
