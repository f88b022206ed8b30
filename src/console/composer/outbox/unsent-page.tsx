import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { Page } from '../../page/page.tsx'
import { composerPath, useUnsentKeys } from './outbox.ts'
import { OutboxList } from './outbox-list.tsx'
import { useOutbox } from './use-outbox.ts'

/**
 * All messages of the workspace that this browser could not send. It needs no query, and its script is loaded with the
 * workspace, because it must open without a connection.
 */
export function UnsentPage() {
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
  const path = composerPath(storageKey)
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
