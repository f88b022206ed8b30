import { createContext, useContext } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'

const kinds = ['thread', 'group', 'edit', 'reply'] as const

/**
 * What is open beside a conversation: the details of a thread or a group, the form that edits a group, or a thread that
 * starts from a message. `id` is the ID of the thread, the group or the message. The URL contains it.
 */
export type Side = { kind: (typeof kinds)[number]; id: string }

/** What a link to another thread keeps open, or null. */
export const KeptSideContext = createContext<Side | null>(null)

export function sideOf(search: string): Side | null {
  const parameters = new URLSearchParams(search)
  for (const kind of kinds) {
    const id = parameters.get(kind)
    if (id !== null) return { kind, id }
  }
  return null
}

export function useSide() {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const shown = sideOf(search)
  const list: unknown = state?.list
  return {
    shown,
    /** Whether the person has opened it. Otherwise, a link has kept it open. */
    isChosen: state?.isChosen === true,
    open: ({ kind, id }: Side) =>
      navigate(`${pathname}?${kind}=${id}`, {
        replace: shown !== null,
        // The step back in the history closes only what was opened by a step forward.
        state: { list, isChosen: true, isStep: shown === null || state?.isStep === true },
      }),
    close: () => (state?.isStep ? navigate(-1) : navigate(pathname, { replace: true, state: { list } })),
  }
}

/** Returns the search of a link to another thread, which keeps the details open. `own` are those of the other thread. */
export function useKeptSearch(own: Side): string {
  const { groupID } = useParams()
  const kept = useContext(KeptSideContext)
  if (kept?.kind !== 'thread' && kept?.kind !== 'group') return ''
  const { kind, id } = kept.id === groupID ? kept : own
  return `?${kind}=${id}`
}

type Conversation = { readonly id: string; readonly kind: string }

/** Returns the details of a conversation with its first group. Those of a group chat are the details of the group. */
export function detailsOf({ id, kind }: Conversation, groupID: string | undefined): Side {
  return kind === 'groupChat' && groupID !== undefined
    ? { kind: 'group', id: groupID }
    : { kind: 'thread', id }
}
