import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { Page } from '../../page/page.tsx'
import { useUnsentKeys } from './outbox.ts'
import { OutboxList } from './outbox-list.tsx'
import { useOutbox } from './use-outbox.ts'

/** All messages of the workspace that this browser could not send. */
export default function UnsentPage() {
  const { workspaceID = '' } = useParams()
  const keys = useUnsentKeys(workspaceID)
  return (
    <Page title="Not sent">
      {keys.length === 0 ? (
        <Text role="status">All your messages are sent.</Text>
      ) : (
        <Stack>
          {keys.map((key) => (
            <UnsentMessages key={key} storageKey={key} />
          ))}
        </Stack>
      )}
    </Page>
  )
}

function UnsentMessages({ storageKey }: { storageKey: string }) {
  const outbox = useOutbox(storageKey, () => {})
  const path = pathOf(storageKey)
  return (
    <div>
      <OutboxList
        items={outbox.items}
        onRetry={outbox.retry}
        onDiscard={({ key }) => outbox.remove(key)}
        onEdit={null}
      />
      {path && (
        <Anchor component={Link} to={path} size="sm">
          Open the page where you wrote this
        </Anchor>
      )}
    </div>
  )
}

/** Returns the path of the composer's page, or null for a reply in a new thread, which is written in a dialog. */
function pathOf(storageKey: string): string | null {
  const [workspaceID, place = ''] = storageKey.split(':')
  if (place.startsWith('thr_')) return `/${workspaceID}/threads/${place}`
  const [kind, ...to] = place.split(',')
  if (kind !== 'new') return null
  return `/${workspaceID}/new?${to.map((id) => `to=${id}`).join('&')}`
}
