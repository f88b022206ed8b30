/** What the audit log says for each action. An action that is not here is shown with its own name. */
const labels: Readonly<Record<string, string>> = {
  signIn: 'Sign-in',
  signOut: 'Sign-out',
  setPassword: 'Password set',
  acceptInvitation: 'Invitation accepted',
  endSession: 'Session ended',
  endOtherSessions: 'Other sessions ended',
  grantAccess: 'Access given to an app',
  revokeGrant: 'Access of an app revoked',
  endGrant: 'Access ended by an app',
  createPersonalAccessToken: 'Personal access token created',
  revokePersonalAccessToken: 'Personal access token revoked',
  inviteUser: 'Person invited',
  revokeInvitation: 'Invitation revoked',
  createUser: 'Person added',
  updateUser: 'Person changed',
  deleteUser: 'Person deactivated',
  restoreUser: 'Person restored',
  mailSignInLink: 'Sign-in link mailed',
  endUserSessions: 'All sessions of a person ended',
  createWorkspace: 'Workspace created',
  updateWorkspace: 'Workspace changed',
  createGroup: 'Group created',
  updateGroup: 'Group changed',
  joinGroup: 'Group joined',
  leaveGroup: 'Group left',
  addMembers: 'Members added',
  removeMembers: 'Members removed',
  updateMember: 'Role changed',
  createApp: 'App created',
  updateApp: 'App changed',
  rotateClientSecret: 'Client secret replaced',
  deleteApp: 'App deleted',
  installApp: 'App installed',
  uninstallApp: 'App uninstalled',
  revokeAccessTokens: 'Access tokens revoked',
  createWebhook: 'Webhook created',
  updateWebhook: 'Webhook changed',
  rotateWebhookKey: 'Webhook key replaced',
  endPreviousWebhookKey: 'Previous webhook key ended',
  disableWebhook: 'Webhook disabled',
  enableWebhook: 'Webhook enabled',
  deleteWebhook: 'Webhook deleted',
  createEventEndpoint: 'Event endpoint created',
  updateEventEndpoint: 'Event endpoint changed',
  deleteEventEndpoint: 'Event endpoint deleted',
  rotateEventEndpointSecret: 'Signing secret replaced',
  enableEventEndpoint: 'Event endpoint enabled',
  disableEventEndpoint: 'Event endpoint disabled',
  replayDelivery: 'Delivery repeated',
  replayDeliveries: 'Deliveries repeated',
  skipDelivery: 'Delivery skipped',
}

export const actions = Object.keys(labels)

export function labelOf(action: string): string {
  return labels[action] ?? action
}

const means: Readonly<Record<string, string>> = {
  session: 'web app',
  personalToken: 'personal access token',
  oauth: 'app',
  webhook: 'webhook',
  operatorToken: 'operator token',
  cli: 'command line',
  password: 'password',
  link: 'link',
  identityProvider: 'identity provider',
}

export function meansLabel(name: string): string {
  return means[name] ?? name
}
