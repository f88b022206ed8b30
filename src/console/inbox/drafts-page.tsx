import { ActionIcon, Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { draftsPage_node$key } from '../../generated/console/draftsPage_node.graphql.ts'
import type { draftsPageQuery } from '../../generated/console/draftsPageQuery.graphql.ts'
import { composerPath } from '../composer/outbox/outbox.ts'
import { useDraftFiles, useDraftKeys, useForgetDraft, useStoredDraft } from '../composer/use-draft.ts'
import { Icon } from '../page/icon.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { Page } from '../page/page.tsx'
import { useEntries } from '../people/picker/use-entries.ts'
import { useQuery } from '../relay/use-query.ts'
import { nameList } from '../text/name-list.ts'
import { plainPreview, previewMentions } from '../text/plain-preview.ts'
import { useThreadTitle } from '../thread/thread-title.ts'
import styles from './drafts-page.module.css'

const mostTitles = 100

/** The messages that the person began to write in this browser. */
export default function DraftsPage() {
  const { workspaceID = '' } = useParams()
  const keys = useDraftKeys(workspaceID)
  return (
    <Page title="Drafts">
      {keys.length === 0 ? (
        <Text c="dimmed" role="status">
          You have no drafts. This browser keeps what you write until you send it.
        </Text>
      ) : (
        <LoadingBoundary>
          <Drafts keys={keys} />
        </LoadingBoundary>
      )}
    </Page>
  )
}

function Drafts({ keys }: { keys: readonly string[] }) {
  const places = keys.map(placeOf)
  const ids = places.filter((place) => /^(thr|msg)_/.test(place)).slice(0, mostTitles)
  const { nodes } = useQuery<draftsPageQuery>(
    graphql`query draftsPageQuery($ids: [ID!]!) { nodes(ids: $ids) { id ...draftsPage_node } }`,
    { ids },
  )
  const nodesByID = new Map(nodes.flatMap((node) => (node ? [[node.id, node] as const] : [])))
  return (
    <ul className={styles.list} aria-label="Drafts">
      {keys.map((key) => (
        <Draft key={key} storageKey={key} node={nodesByID.get(placeOf(key)) ?? null} />
      ))}
    </ul>
  )
}

/** A thread, the message from which a thread starts, or `new` and the recipients of a link. */
function placeOf(storageKey: string): string {
  return storageKey.slice(storageKey.indexOf(':') + 1)
}

type Props = { storageKey: string; node: draftsPage_node$key | null }

/** A draft. It leads to the composer that has it. */
function Draft({ storageKey, node }: Props) {
  const { title, path } = useOrigin(storageKey, node)
  const forget = useForgetDraft()
  const text = useStoredDraft(storageKey)
  const files = useDraftFiles(storageKey)
  const { known } = useEntries(previewMentions(text))
  const content = (
    <>
      <span className={styles.title} dir="auto">
        {title}
      </span>
      <span className={styles.text} dir="auto">
        {plainPreview(text, (id) => known.get(id)?.name) || nameList(files)}
      </span>
    </>
  )
  return (
    <li className={styles.item}>
      {path === null ? (
        <div className={styles.draft}>{content}</div>
      ) : (
        <Link className={styles.draft ?? ''} to={path}>
          {content}
        </Link>
      )}
      <ActionIcon
        aria-label={`Discard the draft: ${title}`}
        title="Discard"
        onClick={() => forget(storageKey)}
      >
        <Icon name="trash" />
      </ActionIcon>
    </li>
  )
}

/** Returns where a draft is written, and the path that leads there. */
function useOrigin(storageKey: string, of: draftsPage_node$key | null) {
  const node = useFragment(
    graphql`
      fragment draftsPage_node on Node {
        __typename
        ... on Thread @alias(as: "thread") { ...threadTitle_thread }
        ... on Message @alias(as: "message") { id thread { id ...threadTitle_thread } }
      }
    `,
    of,
  )
  const [workspaceID] = storageKey.split(':')
  const [kind, ...linked] = placeOf(storageKey).split(',')
  const stored = useStoredDraft(`${storageKey}:to`)
  const recipients = linked.length > 0 ? linked : stored.split(',').filter(Boolean)
  const { known } = useEntries(recipients)
  const subject = useStoredDraft(`${storageKey}:subject`)
  const message = node?.message
  const title = useThreadTitle(node?.thread ?? message?.thread)
  if (kind === 'new') {
    const names = nameList(recipients.map((id) => known.get(id)?.name ?? id))
    const what = subject === '' ? 'New message' : subject
    return { title: names === '' ? what : `${what} to ${names}`, path: composerPath(storageKey) }
  }
  if (message?.thread) {
    const path = `/${workspaceID}/threads/${message.thread.id}/${message.id}`
    return { title: `New thread from a message in ${title}`, path }
  }
  if (title === '') return { title: 'A conversation that you can no longer see', path: null }
  return { title, path: composerPath(storageKey) }
}
