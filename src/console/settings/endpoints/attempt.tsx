import { Code, Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { attempt_attempt$key } from '../../../generated/console/attempt_attempt.graphql.ts'
import { dateAndTime } from '../../text/time.ts'
import styles from './attempt.module.css'

/** A request to an endpoint, and its response. */
export function Attempt(props: { attempt: attempt_attempt$key }) {
  const { number, startedAt, durationMs, status, error, response } = useFragment(
    graphql`
      fragment attempt_attempt on EventAttempt { number startedAt durationMs status error response }
    `,
    props.attempt,
  )
  const outcome = status ? `status ${status}` : (error?.replace(/\.$/, '') ?? 'no response')
  return (
    <div>
      <Text size="sm">
        Attempt {number}: {outcome}, {durationMs} ms, {dateAndTime(startedAt)}
      </Text>
      {response && (
        <Code block className={styles.response}>
          {response}
        </Code>
      )}
    </div>
  )
}
