export const paths = {
  account: '/account',
  password: '/account/password',
  endSession: '/account/sessions/end',
}
