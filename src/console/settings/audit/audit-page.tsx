import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { AuditFilter } from '../../../generated/console/auditListQuery.graphql.ts'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { NotFound } from '../../page/problems/problem.tsx'
import { useViewer } from '../../session/viewer.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { actions, labelOf } from './action-labels.ts'
import { type Actor, AuditList } from './audit-list.tsx'
import { ExportButton } from './export-button.tsx'

const choices = [
  { value: '', label: 'All entries' },
  { value: 'refused', label: 'Refused sign-ins' },
  ...actions.map((action) => ({ value: action, label: labelOf(action) })),
]

/** The audit log of the workspace, with filters. Only admins can see it. */
export function AuditPage() {
  const { workspaceID = '' } = useParams()
  const { permissions } = useViewer()
  const [choice, setChoice] = useState('')
  const [[since, until], setDays] = useState(['', ''])
  const [actor, setActor] = useState<Actor | null>(null)
  const filter = filterOf({ choice, since, until, actor })
  if (!permissions.includes('manageWorkspace')) return <NotFound what="Page" />
  return (
    <div>
      <PageHeader title="Audit log">
        Who changed what, and who signed in. Messages are not recorded. Nobody can change an entry.
      </PageHeader>
      <Section
        title="Entries"
        text="The newest entries come first."
        actions={<ExportButton filter={filter} />}
      >
        <Group align="end" gap="xs">
          <NativeSelect
            size="xs"
            label="Show"
            data={choices}
            value={choice}
            onChange={(event) => setChoice(event.currentTarget.value)}
          />
          <TextInput
            size="xs"
            type="date"
            label="From"
            value={since}
            onChange={(event) => setDays([event.currentTarget.value, until])}
          />
          <TextInput
            size="xs"
            type="date"
            label="To"
            value={until}
            onChange={(event) => setDays([since, event.currentTarget.value])}
          />
          {actor && (
            <Button variant="default" size="xs" onClick={() => setActor(null)}>
              Only {actor.name} ×
            </Button>
          )}
        </Group>
        <LoadingBoundary>
          <AuditList workspaceID={workspaceID} filter={filter} onActor={setActor} />
        </LoadingBoundary>
      </Section>
    </div>
  )
}

type Choices = { choice: string; since: string; until: string; actor: Actor | null }

function filterOf({ choice, since, until, actor }: Choices): AuditFilter {
  return {
    ...(choice === 'refused' ? { outcome: 'refused' } : choice !== '' && { actions: [choice] }),
    ...(since !== '' && { since: startOf(since) }),
    ...(until !== '' && { until: startOf(until, 1) }),
    ...(actor && { actorID: actor.id }),
  }
}

/** Returns the time at which a day begins here, or the day that comes `later` days after it. */
function startOf(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + later)
  return date.toISOString()
}
