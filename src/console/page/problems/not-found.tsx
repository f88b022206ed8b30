import { Anchor } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { usePageTitle } from '../use-page-title.ts'
import { Problem } from './problem.tsx'

type Props = { what: 'App' | 'Endpoint' | 'Group' | 'Page' | 'Thread' | 'Webhook' | 'Workspace' }

/** Shows the same text for an object that does not exist and for an object that the person cannot see. */
export function NotFound({ what }: Props) {
  usePageTitle(`${what} not found`)
  const { workspaceID } = useParams()
  return (
    <Problem title={`${what} not found`} text="It does not exist, or you cannot see it.">
      {what !== 'Workspace' && (
        <Anchor component={Link} to={`/${workspaceID}/inbox`}>
          Go to the inbox
        </Anchor>
      )}
    </Problem>
  )
}
