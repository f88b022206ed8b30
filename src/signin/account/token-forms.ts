import type { FieldError } from '../../errors.ts'
import type { PersonalAccessToken } from '../../generated/prisma/client.ts'
import { type HTML, html } from '../../http/pages/html.ts'
import { defaultScopes, scopeDescriptions, scopes } from '../../scopes.ts'
import type { AccountPerson } from '../../workspaces/users/people-of-account.ts'
import { paths } from './paths.ts'
import { timeOf } from './time-of.ts'

const lifetimes = [7, 30, 90, 365]
const defaultLifetime = 90

const labels: Record<string, string> = {
  name: 'The name',
  scopes: 'The list of scopes',
  expiresInDays: 'The lifetime',
}

/** The values that a person has entered for a new token. The form shows them again after a problem. */
export type TokenInput = {
  name: string
  workspaceID: string
  expiresInDays: number
  scopes: readonly string[]
}

const empty: TokenInput = {
  name: '',
  workspaceID: '',
  expiresInDays: defaultLifetime,
  scopes: defaultScopes,
}

export function newTokenForm(
  people: readonly AccountPerson[],
  latest: string,
  problem: FieldError | undefined,
  { name, workspaceID: chosen, expiresInDays, scopes: allowed }: TokenInput = empty,
): HTML {
  return html`
${problem && html`<p class="error" role="alert">${sentenceOf(problem)}</p>`}
<form method="post" action="${paths.createToken}"><input type="hidden" name="latest" value="${latest}">
<label>Name <input name="name" required maxlength="100" placeholder="Backup script" value="${name}"></label>
<label>Workspace <select name="workspace">${people.map(
    ({ workspaceID, workspace }) =>
      html`<option value="${workspaceID}"${workspaceID === chosen && ' selected'}>${workspace}</option>`,
  )}</select></label>
<label>Expires after <select name="days">${lifetimes.map(
    (days) => html`<option value="${days}"${days === expiresInDays && ' selected'}>${days} days</option>`,
  )}</select></label>
<fieldset><legend>The token can</legend>${scopes.map(
    (scope) =>
      html`<label class="check"><input type="checkbox" name="scope" value="${scope}"${
        allowed.includes(scope) && ' checked'
      }> ${scopeDescriptions[scope]}</label>`,
  )}</fieldset>
<button>Create a token</button>
</form>`
}

function sentenceOf({ field, message }: FieldError): string {
  const label = labels[field.split('.')[0] ?? '']
  return label === undefined ? message : `${label} ${message}.`
}

export function tokenRow(
  { workspaceID, workspace }: AccountPerson,
  { id, name, scopes, expiresAt, lastUsedAt }: PersonalAccessToken,
): HTML {
  const used = lastUsedAt === null ? 'never used' : `last used ${timeOf(lastUsedAt)}`
  return html`<li><div><strong>${name}</strong> in ${workspace}, expires ${timeOf(expiresAt)}, ${used}<br>
${scopes.join(', ')}</div>
<form method="post" action="${paths.revokeToken}"><input type="hidden" name="workspace" value="${workspaceID}">
<input type="hidden" name="token" value="${id}">
<button class="plain" aria-label="Revoke the token ${name}">Revoke</button></form></li>
`
}
