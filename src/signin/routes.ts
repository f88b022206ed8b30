import type { FastifyInstance } from 'fastify'
import { readCookies } from '../http/session-cookie.ts'
import { accountPage } from './account/account-page.ts'
import { authorizePage } from './authorize/authorize-page.ts'
import { readForms } from './forms.ts'
import { homePage } from './home-page.ts'
import { linkPage } from './link-page.ts'
import { mailPage } from './mail-page.ts'
import { oidcPage } from './oidc-page.ts'
import { type SignInParts, sendFailure } from './page.ts'
import { signInPage } from './sign-in-page.ts'

/** Serves the pages on which people sign in and manage their account. They work without scripts. */
export async function signInRoutes(app: FastifyInstance, parts: SignInParts): Promise<void> {
  await readForms(app)
  await readCookies(app)
  app.setErrorHandler(sendFailure)
  homePage(app, parts)
  signInPage(app, parts)
  linkPage(app, parts)
  mailPage(app, parts)
  oidcPage(app, parts)
  accountPage(app, parts)
  authorizePage(app, parts)
}
