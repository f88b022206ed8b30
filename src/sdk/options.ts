import type * as api from '../generated/sdk.ts'
import type { CallOptions, Fetch } from './requests/http.ts'
import type { Credentials } from './requests/tokens.ts'

/** The address of the service, and the credentials of an app or an access token. */
export type SkeinOptions = (
  | (Credentials & { accessToken?: never })
  | ({ accessToken: string } & { [Name in keyof Credentials]?: never })
) &
  CallOptions & {
    /** The address of the service, such as https://skein.example.com. */
    baseURL: string
    /** Replaces the global `fetch`. */
    fetch?: Fetch
  }

/** The options of one request. */
export type RequestOptions = CallOptions & {
  /** Whether a retry is safe if the response was lost. By default true for queries, and false for mutations. */
  isRepeatable?: boolean
}

/** The options of a list. The list starts after the node with the cursor `after`. */
export type ListOptions = CallOptions & { after?: string }
/** The options of a list of groups. `search` selects groups by the start of a word of their name. */
export type GroupsOptions = ListOptions & { search?: string }
/** `search` selects users by the start of a word of their name. `email` needs the scope users.email:read. */
export type UsersOptions = GroupsOptions & { email?: string }
export type ThreadsOptions = ListOptions & { order?: api.ThreadOrder; filter?: api.ThreadFilter }
export type SearchOptions = ListOptions & { order?: api.MessageSearchOrder; filter?: api.MessageSearchFilter }

const credentials = ['workspaceID', 'clientID', 'clientSecret', 'redirectURI'] as const
const callOptions = ['isRepeatable', 'signal', 'retries', 'attemptTimeoutMs', 'timeoutMs']

/** Throws a TypeError if the client cannot send its first request. The error of that request would say less. */
export function checkClientOptions(options: SkeinOptions): void {
  const { baseURL, accessToken } = options
  if (!isBaseURL(baseURL)) {
    throw new TypeError(
      'baseURL must be an http or https URL without a query or fragment, such as https://skein.example.com.',
    )
  }
  const missing = credentials.filter((name) => !options[name])
  if (accessToken === undefined && missing.length > 0) {
    throw new TypeError(`Give an accessToken, or the credentials of an app. Missing: ${missing.join(', ')}.`)
  }
  if (accessToken !== undefined && missing.length < credentials.length) {
    throw new TypeError(`Give either an accessToken, or the credentials of an app, not both.`)
  }
}

/** Throws a TypeError for an unknown option of a call. Otherwise, a misspelled option would have no effect. */
export function checkCallOptions(options: object = {}): void {
  const unknown = Object.keys(options).filter((name) => !callOptions.includes(name))
  if (unknown.length > 0) throw new TypeError(`Unknown option: ${unknown.join(', ')}.`)
}

function isBaseURL(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { href, protocol, origin, pathname } = new URL(text)
  return /^https?:$/.test(protocol) && href === origin + pathname
}
