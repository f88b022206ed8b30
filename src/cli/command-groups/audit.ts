import { InvalidArgumentError, Option } from 'commander'
import { listAll, pageSelection } from '../client.ts'
import { rowsOutput, type Subcommand } from '../subcommands.ts'

const fields =
  'createdAt action outcome actor { kind id name means programID } object { id name } details address userAgent workspaceID id'
const columns = {
  Time: 'createdAt',
  Action: 'action',
  Outcome: 'outcome',
  By: 'by',
  With: 'actor.means',
  Object: 'on',
  Address: 'address',
  Details: 'details',
}
const defaultDays = 30

type Entry = {
  actor: { kind: string; id: string | null; name: string | null }
  object: { id: string | null; name: string | null } | null
}

/** Prints the entries of all workspaces, accounts and the service, the newest first. */
export const audit: Subcommand = {
  usage: 'audit',
  description:
    'Print the audit log: who changed what, who signed in, and who was refused. The newest entry is first.',
  options: [
    new Option('--action <action...>', 'only these actions, such as deleteUser or signIn'),
    new Option('--actor <id>', 'only what this user, account or app did'),
    new Option('--object <id>', 'only changes of this object'),
    new Option('--refused', 'only what was refused'),
    new Option(
      '--since <time>',
      `from this date or time on (ISO 8601); by default, ${defaultDays} days before --until or now`,
    ).argParser(readTime),
    new Option('--until <time>', 'before this date or time (ISO 8601)').argParser(readTime),
  ],
  example: '--action deleteUser signIn --since 2026-01-31T00:00:00Z',
  run: async (client, command) => {
    const document = `query ($after: String, $filter: AuditFilter) { auditEntries${pageSelection(fields, { filter: 'filter: $filter' })} }`
    const entries = await listAll(client, {
      document,
      path: 'auditEntries',
      variables: { filter: filterOf(command.opts()) },
    })
    const rows = (entries as Entry[]).map((entry) => ({
      ...entry,
      by: entry.actor.name ?? entry.actor.id ?? entry.actor.kind,
      on: entry.object?.name ?? entry.object?.id,
    }))
    return { ...rowsOutput(columns, rows), json: entries }
  },
}

type Options = {
  action?: string[]
  actor?: string
  object?: string
  refused?: true
  since?: string
  until?: string
}

function filterOf({ action, actor, object, refused, until, since = defaultSince(until) }: Options): object {
  return { actions: action, actorID: actor, objectID: object, outcome: refused && 'refused', since, until }
}

/** A date begins in UTC. */
function readTime(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text
  if (/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(time) && !Number.isNaN(Date.parse(time))) return time
  throw new InvalidArgumentError(
    'It must be a date, such as 2026-01-31, or a time, such as 2026-01-31T09:00:00Z.',
  )
}

function defaultSince(until: string | undefined): string {
  const end = until === undefined ? Date.now() : Date.parse(until)
  return new Date(end - defaultDays * 24 * 60 * 60 * 1000).toISOString()
}
