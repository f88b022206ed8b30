import { graphql, useFragment } from 'react-relay/hooks'
import type {
  sessions_viewer$data,
  sessions_viewer$key,
} from '../../../generated/console/sessions_viewer.graphql.ts'
import type { sessionsEndOthersMutation } from '../../../generated/console/sessionsEndOthersMutation.graphql.ts'
import type { sessionsRowEndMutation } from '../../../generated/console/sessionsRowEndMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { leaveInAllTabs } from '../../relay/signed-out.ts'
import { dateAndMinute, dateOf } from '../../text/time.ts'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'

type Props = { viewer: sessions_viewer$key; onChange: () => void }

/** The newest 100 sessions of the account. The session of this browser comes first. */
export function Sessions({ viewer, onChange }: Props) {
  const { sessions } = useFragment(
    graphql`
      fragment sessions_viewer on Viewer {
        sessions(last: 100) { nodes { id browser isCurrent createdAt lastUsedAt } }
      }
    `,
    viewer,
  )
  const newestFirst = [...(sessions?.nodes ?? [])].reverse()
  const others = newestFirst.filter(({ isCurrent }) => !isCurrent)
  const current = newestFirst.filter(({ isCurrent }) => isCurrent)
  return (
    <Section
      title="Sessions"
      text="The browsers in which you are signed in, for all your workspaces. End a session that you do not recognize."
      actions={
        others.length > 0 && (
          <ActionButton<sessionsEndOthersMutation>
            label="End all other sessions"
            isDestructive
            confirmation={{
              title: 'End all other sessions?',
              text: 'You will immediately be signed out of all browsers except this one.',
            }}
            mutation={graphql`
              mutation sessionsEndOthersMutation { endOtherSessions { removedSessionIDs } }
            `}
            variables={{}}
            onDone={onChange}
          />
        )
      }
    >
      <Rows label="Sessions" empty="You have no sessions.">
        {[...current, ...others].map((session) => (
          <SessionRow key={session.id} session={session} onEnded={onChange} />
        ))}
      </Rows>
    </Section>
  )
}

type SessionRowProps = {
  session: NonNullable<sessions_viewer$data['sessions']>['nodes'][number]
  onEnded: () => void
}

function SessionRow({ session, onEnded }: SessionRowProps) {
  const { id, browser, isCurrent, createdAt, lastUsedAt } = session
  return (
    <Row
      title={isCurrent ? `${browser} (this browser)` : browser}
      text={`Last used ${dateAndMinute(lastUsedAt)}. Signed in on ${dateOf(createdAt)}.`}
    >
      <ActionButton<sessionsRowEndMutation>
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
          mutation sessionsRowEndMutation($input: EndSessionInput!) {
            endSession(input: $input) { removedSessionID }
          }
        `}
        variables={{ input: { sessionID: id } }}
        onDone={isCurrent ? leaveInAllTabs : onEnded}
      />
    </Row>
  )
}
