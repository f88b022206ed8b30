import { dateOf } from './time.ts'

type Created = { createdAt: string; creator: { name: string } | null | undefined }

/** Says who created an app or a webhook, and when. An object that the operator created has no creator. */
export function createdBy({ createdAt, creator }: Created): string {
  return `Created by ${creator?.name ?? 'the operator'} on ${dateOf(createdAt)}`
}
