import { Anchor, SegmentedControl, TextInput, useMantineColorScheme } from '@mantine/core'
import { graphql, useRelayEnvironment } from 'react-relay/hooks'
import type { profilePageNameMutation } from '../../../generated/console/profilePageNameMutation.graphql.ts'
import type { profilePagePictureMutation } from '../../../generated/console/profilePagePictureMutation.graphql.ts'
import type { profilePageQuery } from '../../../generated/console/profilePageQuery.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { forgetDirectory } from '../../people/directory.ts'
import { useAction } from '../../relay/use-action.ts'
import { useReloadedQuery } from '../../relay/use-query.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { PictureField } from '../picture/picture-field.tsx'
import { AttentionLists } from './attention-lists.tsx'
import { Grants } from './grants.tsx'
import { NotificationSection } from './notification-section.tsx'
import { PersonalTokens } from './personal-tokens.tsx'
import { Sessions } from './sessions.tsx'
import { usePasswordPath } from './use-password-path.ts'

/** The name of the person, how they sign in, and the apps and tokens that act as them. */
export function ProfilePage() {
  const [query, reload] = useReloadedQuery<profilePageQuery>(
    graphql`
      query profilePageQuery {
        ...attentionLists_query
        viewer {
          hasPassword
          user { id name email kind avatarURL }
          ...sessions_viewer
          ...grants_viewer
          ...personalTokens_viewer
        }
      }
    `,
    {},
  )
  const { viewer } = query
  if (!viewer) return null
  return (
    <div>
      <PageHeader title="Profile">{viewer.user.email}</PageHeader>
      <Section title="How others see you">
        <PictureField<profilePagePictureMutation>
          user={viewer.user}
          mutation={graphql`
            mutation profilePagePictureMutation($input: UpdateUserInput!) {
              updateUser(input: $input) { user { id avatarURL } }
            }
          `}
          variablesFor={(avatarFileID) => ({ input: { userID: viewer.user.id, avatarFileID } })}
        />
        <NameForm user={viewer.user} />
      </Section>
      <ColorSchemeSection />
      <NotificationSection />
      {typeof viewer.hasPassword === 'boolean' && <PasswordSection hasPassword={viewer.hasPassword} />}
      <Sessions viewer={viewer} onChange={reload} />
      <Grants viewer={viewer} onChange={reload} />
      <PersonalTokens viewer={viewer} onChange={reload} />
      <AttentionLists query={query} onChange={reload} />
    </div>
  )
}

/** Says whether the person has a password. The form is on the account page, which works best for password managers. */
function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
  const passwordPath = usePasswordPath()
  return (
    <Section
      title="Password"
      text={hasPassword ? 'You can sign in with a password.' : 'You have not set a password.'}
    >
      <Anchor href={passwordPath} size="sm" underline="always" style={{ alignSelf: 'flex-start' }}>
        {hasPassword ? 'Change password' : 'Set a password'}
      </Anchor>
    </Section>
  )
}

function NameForm({ user }: { user: { id: string; name: string } }) {
  const environment = useRelayEnvironment()
  const { values, changed, change, markSaved, state } = useEdited({ name: user.name })
  const { name } = values
  const { run, isRunning, problem } = useAction<profilePageNameMutation>(graphql`
    mutation profilePageNameMutation($input: UpdateUserInput!) { updateUser(input: $input) { user { id name } } }
  `)
  const save = () =>
    run({ input: { userID: user.id, ...changed } }, () => {
      forgetDirectory(environment)
      markSaved(changed)
    })
  return (
    <Form
      action="Save"
      isRunning={isRunning}
      problem={problem}
      edit={state}
      isDisabled={name.trim() === ''}
      onSubmit={save}
    >
      <TextInput
        label="Your name"
        description="Everyone in this workspace can see it."
        maxLength={100}
        autoComplete="name"
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </Form>
  )
}

const schemes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Lets the person choose light or dark colors. This browser keeps the choice, also after a sign-out. */
function ColorSchemeSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section title="Appearance" text="The colors in this browser. “System” follows your device.">
      <SegmentedControl
        aria-label="Colors"
        data={schemes}
        value={colorScheme}
        onChange={(value) => setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')}
        style={{ alignSelf: 'flex-start' }}
      />
    </Section>
  )
}
