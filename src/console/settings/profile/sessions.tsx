import { graphql, useFragment } from 'react-relay/hooks'
import type { sessions_viewer$key } from '../../../generated/console/sessions_viewer.graphql.ts'
import type { sessionsEndOthersMutation } from '../../../generated/console/sessionsEndOthersMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'
import { SessionRow } from './session-row.tsx'

type Props = { viewer: sessions_viewer$key; onChange: () => void }

/** The newest 100 sessions of the account. The session of this browser comes first. */
export function Sessions({ viewer, onChange }: Props) {
  const { sessions } = useFragment(
    graphql`
      fragment sessions_viewer on Viewer {
        sessions(last: 100) { nodes { id isCurrent ...sessionRow_session } }
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
