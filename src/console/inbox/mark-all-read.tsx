import { Anchor, CloseButton } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { markAllReadMutation } from '../../generated/console/markAllReadMutation.graphql.ts'
import type { markAllReadUndoMutation } from '../../generated/console/markAllReadUndoMutation.graphql.ts'
import { ProblemText } from '../page/problems/problem.tsx'
import { useAction } from '../relay/use-action.ts'
import styles from './notice.module.css'

/** Marks everything, or the threads of a group, as read. `notice` says so, and offers to take it back. */
export function useMarkAllRead(groupID: string | null = null) {
  const mark = useAction<markAllReadMutation>(graphql`
    mutation markAllReadMutation($input: MarkAllReadInput!) { markAllRead(input: $input) { viewer { user { id } } } }
  `)
  const undo = useAction<markAllReadUndoMutation>(graphql`
    mutation markAllReadUndoMutation($input: UndoMarkAllReadInput!) {
      undoMarkAllRead(input: $input) { viewer { user { id } } }
    }
  `)
  const input = { groupID }
  const notice = (
    <div role="status">
      {mark.isDone && !undo.isDone && (
        <div className={styles.done}>
          {groupID === null ? 'Everything is marked as read.' : 'The group is marked as read.'}
          <Anchor component="button" type="button" size="sm" onClick={() => undo.run({ input })}>
            Undo
          </Anchor>
          <CloseButton size="sm" aria-label="Dismiss" onClick={mark.clear} />
        </div>
      )}
      <ProblemText problem={mark.problem ?? undo.problem} />
    </div>
  )
  return {
    notice,
    markAllRead: () => {
      undo.clear()
      mark.run({ input })
    },
  }
}
