import type { Config, SignInMethod } from '../config.ts'
import { conflict } from '../errors.ts'
import { mailerOf } from './mail.ts'
import { identityProviderOf } from './oidc/identity-provider.ts'

const names: Record<SignInMethod, string> = {
  password: 'Passwords are',
  link: 'Sign-in links are',
  oidc: 'OpenID Connect is',
}

/** Throws if the operator has turned off a way to sign in. */
export function requireSignInMethod(config: Config, method: SignInMethod): void {
  if (config.signInMethods.includes(method)) return
  throw conflict(
    'sign_in_method_off',
    `${names[method]} turned off on this service: its setting SIGN_IN_METHODS does not contain "${method}". Sign in at ${config.baseURL}/signin.`,
  )
}

/** Returns whether people can request a sign-in link by mail. */
export function mailsLinks(config: Config): boolean {
  return config.signInMethods.includes('link') && mailerOf(config) !== undefined
}

/** Returns the name of the identity provider with which people can sign in, or undefined. */
export function offeredProvider(config: Config): string | undefined {
  return config.signInMethods.includes('oidc') ? identityProviderOf(config)?.label : undefined
}
