import type { Command, Option } from 'commander'
import { type Client, listAll, pageSelection } from './client.ts'
import { Failure } from './failure.ts'
import { type Columns, detailsOf, type Output, tableOf } from './print.ts'
import { type ReferenceKind, resolveReference, resolveWorkspace } from './references.ts'
import type { Environment } from './server.ts'

export type Subcommand = {
  /** The name and arguments, such as `add <group> <users...>`. */
  usage: string
  description: string
  options?: Option[]
  /** Example arguments, as the operator types them in a shell. */
  example: string
  /** The question to ask before a change, unless `--yes` is given. */
  confirm?: string
  subcommands?: Subcommand[]
  /** Returns the output. A command that runs until it is stopped returns a stream of outputs, each of one line. */
  run: (
    client: Client,
    command: Command,
    context: SubcommandContext,
  ) => Promise<Output | AsyncIterable<Output>>
}

/** `confirm` asks the question of the subcommand. It throws Failure unless the answer is yes. */
type SubcommandContext = { env: Environment; confirm: () => Promise<void> }

export type CommandGroup = { name: string; description: string; subcommands: Subcommand[] }

/** A type of the API: the fields to select, and the columns that people see. */
export type ObjectType = { fields: string; columns: Columns }

/**
 * `field` names the object in the payload. `more` describes the other fields of the payload. `inWorkspace` adds
 * `workspaceID` to the input. `ofDeleted` says that the argument `user` names a deleted person.
 */
type Mutation = {
  mutation: string
  field?: string
  type: ObjectType
  more?: ObjectType & { note?: string | ((json: Payload) => string | undefined) }
  inWorkspace?: boolean
  ofDeleted?: boolean
}

/** The names of input fields that differ from the names of their options. */
const inputNames: { [option: string]: string } = {
  allowedTarget: 'allowedTargets',
  avatarUrl: 'avatarURL',
  customApps: 'customAppsEnabled',
  days: 'expiresInDays',
  group: 'groupID',
  listed: 'isListed',
  private: 'isPrivate',
  public: 'isPublic',
  redirectUri: 'redirectURIs',
  scope: 'scopes',
  to: 'url',
  type: 'types',
}

// `--unlisted` sets the option `listed` to false.
const withoutField = ['yes', 'unlisted']

export function listOfWorkspace(
  field: string,
  { fields, columns }: ObjectType,
  filter = '',
): Subcommand['run'] {
  const selection = pageSelection(fields, { filter })
  return async (client, command) => {
    const document = `query ($workspaceID: ID!, $after: String) { workspace(id: $workspaceID) { ${field}${selection} } }`
    const variables = { workspaceID: await workspaceOf(client, command) }
    return rowsOutput(columns, await listAll(client, { document, path: `workspace.${field}`, variables }))
  }
}

/** Lists the objects of all workspaces, or of no workspace. */
export function listOfAll(field: string, { fields, columns }: ObjectType): Subcommand['run'] {
  const document = `query ($after: String) { ${field}${pageSelection(fields)} }`
  return async (client) =>
    rowsOutput(columns, await listAll(client, { document, path: field, variables: {} }))
}

export function rowsOutput(columns: Columns, rows: readonly unknown[]): Output {
  return { json: rows, text: tableOf(columns, rows) }
}

export function runMutation({
  mutation,
  field,
  type,
  more,
  inWorkspace,
  ofDeleted,
}: Mutation): Subcommand['run'] {
  const own = field ? `${field} { ${type.fields} }` : type.fields
  const payload = `{ ${own} ${more?.fields ?? ''} }`
  return async (client, command, { confirm }) => {
    const options = optionsOf(command)
    const workspace = inWorkspace && { workspaceID: await workspaceOf(client, command) }
    const input = { ...workspace, ...(await argumentsOf(client, command, ofDeleted)), ...options }
    await confirm()
    const data = (await client(documentOf(mutation, input, payload), { input })) as {
      [mutation: string]: Payload
    }
    const json = flatten(data[mutation] ?? {}, field)
    const text = detailsOf({ ...type.columns, ...more?.columns }, json)
    const note = typeof more?.note === 'function' ? more.note(json) : more?.note
    return { json, text: note ? `${text}\n\n${note}` : text }
  }
}

type Payload = { [field: string]: unknown }

/** A mutation whose input would be empty has no argument. */
function documentOf(mutation: string, input: object, selection: string): string {
  if (Object.keys(input).length === 0) return `mutation { ${mutation} ${selection} }`
  const inputType = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`
  return `mutation ($input: ${inputType}!) { ${mutation}(input: $input) ${selection} }`
}

/** Merges the payload's object with the payload's other fields. */
export function flatten(payload: Payload, field: string | undefined): Payload {
  if (field === undefined) return payload
  const { [field]: object, ...rest } = payload
  return { ...(object as Payload), ...rest }
}

export function workspaceOf(client: Client, command: Command): Promise<string> {
  return resolveWorkspace(client, command.optsWithGlobals<{ workspace?: string }>().workspace)
}

/** Throws Failure if `--workspace` is given and does not name the workspace of `resource`. */
export async function requireWorkspace(
  client: Client,
  command: Command,
  workspaceID: string,
  resource: string,
): Promise<void> {
  const { workspace } = command.optsWithGlobals<{ workspace?: string }>()
  if (workspace === undefined || (await resolveWorkspace(client, workspace)) === workspaceID) return
  throw new Failure(`${resource} belongs to the workspace ${workspaceID}, not to "${workspace}".`)
}

const references: readonly string[] = [
  'workspace',
  'user',
  'group',
  'app',
  'webhook',
  'endpoint',
  'delivery',
] satisfies ReferenceKind[]

/** Returns the arguments under the field names of the API. Names of objects are resolved to IDs. */
export async function argumentsOf(client: Client, command: Command, ofDeleted = false): Promise<Payload> {
  const workspaceID = () => workspaceOf(client, command)
  const resolve = (kind: string, text: string) =>
    resolveReference(
      client,
      ofDeleted && kind === 'user' ? 'deleted user' : (kind as ReferenceKind),
      text,
      workspaceID,
    )
  const entries: [string, unknown][] = []
  for (const [index, argument] of command.registeredArguments.entries()) {
    const [name, value] = [argument.name(), command.processedArgs[index]]
    const one = name.replace(/s$/, '')
    if (references.includes(name)) entries.push([`${name}ID`, await resolve(name, value)])
    else if (argument.variadic && references.includes(one)) {
      const texts = value as string[]
      entries.push([`${one}IDs`, await Promise.all(texts.map((text) => resolve(one, text)))])
    } else entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

/** Returns the options under the names of the API. Reports a usage error for an update without options. */
function optionsOf(command: Command): Payload {
  const options = command.options
    .filter((option) => !option.negate && !withoutField.includes(option.attributeName()))
    .map((option): [Option, unknown] => [option, command.getOptionValue(option.attributeName())])
    .filter(([, value]) => value !== undefined)
  if (command.name() === 'update' && options.length === 0) {
    command.error('error: there is nothing to change. Specify at least one option.')
  }
  const fields = options.map(([option, value]): [string, unknown] => {
    const name = option.attributeName()
    return [inputNames[name] ?? name, inputValue(option, value)]
  })
  return Object.fromEntries(fields)
}

/** Converts `on` and `off` to a boolean. Converts `--no-email` to null, which removes the email address. */
function inputValue(option: Option, value: unknown): unknown {
  if (option.argChoices?.includes('on')) return value === 'on'
  return value === false && option.required ? null : value
}
