import { Paper, Text, TextInput } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { newThreadFromQuery } from '../../../generated/console/newThreadFromQuery.graphql.ts'
import { isBlank } from '../../../text/blank.ts'
import { Composer } from '../../composer/composer.tsx'
import { useDraft } from '../../composer/use-draft.ts'
import { useQuery } from '../../relay/use-query.ts'
import { limits } from '../../session/limits.ts'
import { useViewer } from '../../session/viewer.ts'
import { excerpt, htmlPreview } from '../../text/html-preview.ts'
import { nameList } from '../../text/name-list.ts'
import styles from './message-actions.module.css'

const longestSubject = 60

/**
 * Quotes a message, and writes the first message of a thread that starts from it. The new thread has the recipients of
 * the thread that contains the message.
 */
export default function NewThreadFrom({ id: messageID }: { id: string }) {
  const { workspaceID } = useParams()
  const viewer = useViewer()
  const { node } = useQuery<newThreadFromQuery>(
    graphql`
      query newThreadFromQuery($messageID: ID!) {
        node(id: $messageID) {
          ... on Message {
            html
            user { name }
            thread { recipients(first: 20) { nodes { id name } pageInfo { hasNextPage } } }
          }
        }
      }
    `,
    { messageID },
  )
  const text = htmlPreview(node?.html ?? '')
  const beginning = excerpt(text, longestSubject)
  const [subject, setSubject] = useDraft(`${workspaceID}:${messageID}:subject`, beginning)
  const { nodes = [], pageInfo } = node?.thread?.recipients ?? {}
  const names = nodes.flatMap(({ id, name }) => (id === viewer.id ? [] : name))
  return (
    <>
      <Paper component="blockquote" m={0} mb="md" p="sm" bg="var(--float)">
        <Text size="sm" fw={600} truncate>
          {node?.user?.name}
        </Text>
        <Text size="sm" dir="auto" lineClamp={3}>
          {text}
        </Text>
      </Paper>
      <TextInput
        label="Subject"
        description={`The thread goes to ${nameList(names, pageInfo?.hasNextPage ? null : 0)}.`}
        maxLength={limits.subjectCharacters}
        mb="md"
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <div className={styles.reply}>
        <Composer
          target={{ recipients: [], fromMessageID: messageID, subject: subject.trim() }}
          obstacle={isBlank(subject) ? 'A new thread needs a subject.' : null}
          near={nodes.map(({ id }) => id)}
          autoFocus
          onSubmit={() => setSubject(null)}
          onEdit={(target) => 'subject' in target && setSubject(target.subject ?? beginning)}
        />
      </div>
    </>
  )
}
