import { Group } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { deleteApp_app$key } from '../../../generated/console/deleteApp_app.graphql.ts'
import type { deleteAppMutation } from '../../../generated/console/deleteAppMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { Section } from '../layout/section.tsx'

export function DeleteApp(props: { app: deleteApp_app$key }) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const { id, name } = useFragment(graphql`fragment deleteApp_app on App { id name }`, props.app)
  return (
    <Section title="Delete the app" text="The app is uninstalled from all workspaces. Its messages stay.">
      <Group>
        <ActionButton<deleteAppMutation>
          label="Delete the app"
          isDestructive
          confirmation={{
            title: `Delete ${name}?`,
            text: 'Its secret and all its tokens stop working immediately in all workspaces. This cannot be undone.',
          }}
          mutation={graphql`
            mutation deleteAppMutation($input: DeleteAppInput!) { deleteApp(input: $input) { removedAppID } }
          `}
          variables={{ input: { appID: id } }}
          onDone={() => navigate(`/${workspaceID}/settings/apps`)}
        />
      </Group>
    </Section>
  )
}
