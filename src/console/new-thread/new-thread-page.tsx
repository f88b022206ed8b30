import { Box, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { isBlank } from '../../text/blank.ts'
import { Composer } from '../composer/composer.tsx'
import { useDraft } from '../composer/use-draft.ts'
import { Page } from '../page/page.tsx'
import { RecipientSelect } from '../people/picker/recipient-select.tsx'
import { useEntries } from '../people/picker/use-entries.ts'
import { limits } from '../session/limits.ts'
import { useViewer } from '../session/viewer.ts'
import styles from './new-thread-page.module.css'

/** Starts a thread with its first message. `?to=` preselects a recipient. */
export default function NewThreadPage() {
  const [searchParams] = useSearchParams()
  const to = searchParams.getAll('to').toSorted()
  return (
    <Page title="New message">
      <NewThread key={to.join()} to={to} />
    </Page>
  )
}

function NewThread({ to }: { to: readonly string[] }) {
  const { workspaceID } = useParams()
  const viewer = useViewer()
  const draftKey = `${workspaceID}:${['new', ...to].join()}`
  const [recipients, setRecipients] = useRecipients(to, `${draftKey}:to`)
  const { absent } = useEntries(recipients)
  const [subject, setSubject] = useDraft(`${draftKey}:subject`)
  const unknown = absent.length > 0 ? unknownText(absent) : null
  const isShort = recipients.length < 2
  const missing = missingIn(recipients, subject)
  const [showsMissing, setShowsMissing] = useState(false)
  const fields = { to: useRef<HTMLInputElement>(null), subject: useRef<HTMLInputElement>(null) }
  const problemOf = (field: Field) => showsMissing && missing?.field === field && missing.text
  return (
    <Box maw="40rem" className={styles.fields ?? ''} data-drop-pane>
      <RecipientSelect
        label="To"
        description="People, apps and groups. Everyone in a group can read the thread."
        without={new Set([viewer.id])}
        value={recipients}
        ref={fields.to}
        onChange={setRecipients}
        error={unknown ?? problemOf('to')}
        autoFocus={recipients.length === 0}
      />
      <TextInput
        ref={fields.subject}
        label={isShort ? 'Subject (optional)' : 'Subject'}
        description={subjectHint(recipients)}
        error={problemOf('subject')}
        maxLength={limits.subjectCharacters}
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <Composer
        target={{ recipients, ...(!isBlank(subject) && { subject: subject.trim() }) }}
        draftKey={draftKey}
        minRows={4}
        autoFocus={recipients.length > 0}
        obstacle={unknown ?? missing?.text ?? null}
        onObstacle={() => {
          setShowsMissing(true)
          fields[unknown ? 'to' : (missing?.field ?? 'to')].current?.focus()
        }}
        onSubmit={() => {
          setShowsMissing(false)
          setRecipients(to)
          setSubject('')
        }}
        onEdit={(target) => {
          if ('threadID' in target) return
          setRecipients(target.recipients)
          setSubject(target.subject ?? '')
        }}
      />
    </Box>
  )
}

/**
 * Returns the recipients and their setter. A link with `?to=` sets the recipients each time it is opened. A reload
 * keeps the changes that the person has made since then. Without such a link, this browser stores the recipients with
 * the draft.
 */
function useRecipients(to: readonly string[], storageKey: string) {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const [stored, setStored] = useDraft(storageKey)
  const changed: readonly string[] | undefined = state?.recipients
  const isLinked = to.length > 0
  const recipients = isLinked ? (changed ?? to) : stored.split(',').filter(Boolean)
  const setRecipients = (ids: readonly string[]) => {
    if (isLinked) navigate({ pathname, search }, { replace: true, state: { ...state, recipients: ids } })
    else setStored(ids.join())
  }
  return [recipients, setRecipients] as const
}

function unknownText(ids: readonly string[]): string {
  if (ids.length === 1) return `${ids[0]} does not exist, or you cannot see it. Remove it.`
  return `${ids.join(', ')} do not exist, or you cannot see them. Remove them.`
}

type Field = 'to' | 'subject'

/** The service recognizes a repeated attempt to start a thread only if the thread has a subject. */
function missingIn(recipients: readonly string[], subject: string): { field: Field; text: string } | null {
  if (recipients.length === 0) return { field: 'to', text: 'Choose at least one recipient.' }
  if (recipients.length === 1 || !isBlank(subject)) return null
  return { field: 'subject', text: 'A message to several recipients needs a subject.' }
}

function subjectHint([id, ...others]: readonly string[]): string {
  if (id === undefined || others.length > 0) return 'With a subject, the message begins a new thread.'
  const chat = id.startsWith('usr_') ? 'your direct messages' : 'the chat of the group'
  return `With a subject, the message begins a new thread. Without one, it goes to ${chat}.`
}
