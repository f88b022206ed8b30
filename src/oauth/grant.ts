import type { Client } from '../apps/tokens/authenticate-client.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Parameters } from './client-authentication.ts'

/** The response to a token request (RFC 6749 5.1). `user_id` is the app's user in the workspace. */
export type TokenResponse = {
  user_id: string
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope?: string
}

/** Before `issue` runs, the client is authenticated and the required parameters are present. */
export type Grant = {
  type: string
  required: readonly string[]
  issue(context: { db: Database; config: Config }, client: Client, form: Parameters): Promise<TokenResponse>
}
