import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { fromMessage_thread$key } from '../../generated/console/fromMessage_thread.graphql.ts'
import { htmlPreview } from '../text/html-preview.ts'
import { isolated } from '../text/isolated.ts'
import styles from './from-message.module.css'

export function FromMessage(props: { thread: fromMessage_thread$key }) {
  const { workspaceID } = useParams()
  const { fromMessage } = useFragment(
    graphql`
      fragment fromMessage_thread on Thread {
        fromMessage { id html deletedAt thread { id } user { name } }
      }
    `,
    props.thread,
  )
  if (!fromMessage?.thread) return null
  return (
    <Link className={styles.link} to={`/${workspaceID}/threads/${fromMessage.thread.id}/${fromMessage.id}`}>
      <Text size="sm" truncate>
        Started from a message by {isolated(fromMessage.user.name)}
        {fromMessage.deletedAt ? '' : `: ${isolated(htmlPreview(fromMessage.html))}`}
      </Text>
    </Link>
  )
}
