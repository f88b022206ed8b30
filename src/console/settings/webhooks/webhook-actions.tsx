import { graphql, useFragment } from 'react-relay/hooks'
import { useNavigate, useParams } from 'react-router'
import type { webhookActions_webhook$key } from '../../../generated/console/webhookActions_webhook.graphql.ts'
import type { webhookActionsDeleteMutation } from '../../../generated/console/webhookActionsDeleteMutation.graphql.ts'
import type { webhookActionsDisableMutation } from '../../../generated/console/webhookActionsDisableMutation.graphql.ts'
import type { webhookActionsEnableMutation } from '../../../generated/console/webhookActionsEnableMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { Row, Rows } from '../layout/rows.tsx'
import { Section } from '../layout/section.tsx'

export function WebhookActions(props: { webhook: webhookActions_webhook$key }) {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const { id, name, disabledAt } = useFragment(
    graphql`fragment webhookActions_webhook on Webhook { id name disabledAt }`,
    props.webhook,
  )
  const variables = { input: { webhookID: id } }
  return (
    <Section title="Disable or delete">
      <Rows label="Disable or delete">
        <Row
          title={disabledAt ? 'Enable the webhook' : 'Disable the webhook'}
          text="A disabled webhook responds as if it did not exist. It keeps its URL, and can be enabled again."
        >
          {disabledAt ? (
            <ActionButton<webhookActionsEnableMutation>
              label="Enable"
              mutation={graphql`
                mutation webhookActionsEnableMutation($input: EnableWebhookInput!) {
                  enableWebhook(input: $input) { webhook { id disabledAt } }
                }
              `}
              variables={variables}
            />
          ) : (
            <ActionButton<webhookActionsDisableMutation>
              label="Disable"
              isDestructive
              confirmation={{
                title: `Disable ${name}?`,
                text: 'Programs cannot post to its URL until you enable it again.',
              }}
              mutation={graphql`
                mutation webhookActionsDisableMutation($input: DisableWebhookInput!) {
                  disableWebhook(input: $input) { webhook { id disabledAt } }
                }
              `}
              variables={variables}
            />
          )}
        </Row>
        <Row title="Delete the webhook" text="Its messages stay.">
          <ActionButton<webhookActionsDeleteMutation>
            label="Delete"
            name="Delete the webhook"
            isDestructive
            confirmation={{
              title: `Delete ${name}?`,
              text: 'Its URL stops working immediately. Its messages stay. This cannot be undone.',
            }}
            mutation={graphql`
              mutation webhookActionsDeleteMutation($input: DeleteWebhookInput!) {
                deleteWebhook(input: $input) { removedWebhookID }
              }
            `}
            variables={variables}
            onDone={() => navigate(`/${workspaceID}/settings/apps`)}
          />
        </Row>
      </Rows>
    </Section>
  )
}
