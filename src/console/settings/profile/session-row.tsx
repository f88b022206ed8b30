import { graphql, useFragment } from 'react-relay/hooks'
import type { sessionRow_session$key } from '../../../generated/console/sessionRow_session.graphql.ts'
import type { sessionRowEndMutation } from '../../../generated/console/sessionRowEndMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { leaveInAllTabs } from '../../relay/signed-out.ts'
import { dateAndMinute, dateOf } from '../../text/time.ts'
import { Row } from '../layout/rows.tsx'

type Props = { session: sessionRow_session$key; onEnded: () => void }

export function SessionRow({ session, onEnded }: Props) {
  const { id, browser, isCurrent, createdAt, lastUsedAt } = useFragment(
    graphql`
      fragment sessionRow_session on Session { id browser isCurrent createdAt lastUsedAt }
    `,
    session,
  )
  return (
    <Row
      title={isCurrent ? `${browser} (this browser)` : browser}
      text={`Last used ${dateAndMinute(lastUsedAt)}. Signed in on ${dateOf(createdAt)}.`}
    >
      <ActionButton<sessionRowEndMutation>
        label="End"
        name={isCurrent ? 'End the session of this browser' : `End the session of ${browser}`}
        isDestructive
        confirmation={
          isCurrent
            ? { title: 'End this session?', text: 'You will be signed out of this browser.' }
            : {
                title: `End the session of “${browser}”?`,
                text: 'That browser will be signed out immediately.',
              }
        }
        mutation={graphql`
          mutation sessionRowEndMutation($input: EndSessionInput!) {
            endSession(input: $input) { removedSessionID }
          }
        `}
        variables={{ input: { sessionID: id } }}
        onDone={isCurrent ? leaveInAllTabs : onEnded}
      />
    </Row>
  )
}
