export const paths = {
  account: '/account',
  password: '/account/password',
  createToken: '/account/tokens',
  revokeToken: '/account/tokens/revoke',
  endGrant: '/account/grants/end',
  endSession: '/account/sessions/end',
}
