import type { GrantableWorkspace } from '../../apps/grants/grantable.ts'
import { type HTML, html } from '../../http/pages/html.ts'
import { scopeDescriptions } from '../../scopes.ts'
import type { AuthorizationParameters, AuthorizationRequest } from './authorization-request.ts'

type Consent = {
  request: AuthorizationRequest
  parameters: AuthorizationParameters
  workspaces: GrantableWorkspace[]
  session: { accountID: string; email: string }
}

export function consentPage({ request, parameters, workspaces, session }: Consent): HTML {
  const { app, scopes, actsAsUser, redirectURI } = request
  return html`<h1>${app.name} requests access</h1>
<p>${app.name} is managed by the workspace <strong>${app.managedIn}</strong>. You are signed in as
<strong>${session.email}</strong>.</p>
${
  actsAsUser
    ? html`<p><strong>${app.name} will act as you</strong>: its actions look like yours to other people. It can:</p>`
    : html`<p>${app.name} will be installed in the workspace, and act as a user of its own. It can:</p>`
}
<ul>${scopes.map((scope) => html`<li>${scopeDescriptions[scope]}</li>`)}</ul>
${workspaces.length === 0 && html`<p class="error" role="alert">${noWorkspace(request)}</p>`}
<form method="post" action="/oauth/authorize">
${Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="account" value="${session.accountID}">
${
  workspaces.length > 0 &&
  html`<label>Workspace <select name="workspace">${workspaces.map(
    ({ workspaceID, name }) => html`<option value="${workspaceID}">${name}</option>`,
  )}</select></label>
<button name="decision" value="allow">Allow</button>`
}
<button class="plain" name="decision" value="cancel">Cancel</button>
<button class="plain" name="decision" value="switch">Use another account</button>
</form>
<p>Afterwards you return to ${new URL(redirectURI).host || redirectURI}.</p>
`
}

function noWorkspace({ app, actsAsUser }: AuthorizationRequest): string {
  const place = app.isListed ? 'a workspace' : `the workspace ${app.managedIn}`
  return actsAsUser
    ? `${app.name} is not installed in a workspace of yours. Ask an admin of ${place} to install it.`
    : `Only an admin can install an app. Ask an admin of ${place} to open this page.`
}
