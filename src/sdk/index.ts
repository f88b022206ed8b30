/** A client for the Skein API. It runs on Node.js 20 and later, in browsers and in edge runtimes. */

export type {
  GroupFieldsFragment as Group,
  MessageFieldsFragment as Message,
  ThreadFieldsFragment as Thread,
  UserFieldsFragment as User,
} from '../generated/sdk.ts'
export * from '../generated/sdk.ts'
export { type FieldError, SkeinError } from './errors.ts'
export type { EventsOptions, SkeinEvent } from './events/event.ts'
export type { ListOptions, RequestOptions, SkeinOptions, UsersOptions } from './options.ts'
export type { MessagesOptions, ThreadMessage } from './read-messages.ts'
export type { TypedDocument } from './requests/graphql.ts'
export type { CallOptions } from './requests/http.ts'
export type { Credentials } from './requests/tokens.ts'
export type { Upload } from './requests/upload.ts'
export { Skein } from './skein.ts'
export { Webhook, type WebhookMessage, type WebhookPost } from './webhook.ts'
