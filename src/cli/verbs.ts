import type { Command, Option } from 'commander'
import { type Client, listAll, pageOf } from './client.ts'
import { type Answer, type Columns, detailsOf, tableOf } from './print.ts'

/** One verb of the command line. */
export type Verb = {
  /** Its name and arguments, as in `create <workspaceID> <name>`; arguments are named as in GraphQL. */
  usage: string
  /** One line for the help. */
  says: string
  options?: Option[]
  /** What can follow the verb, in a shell. */
  example: string
  run: (client: Client, command: Command) => Promise<Answer>
}

/** The verbs that act on one thing. */
export type Noun = { name: string; says: string; verbs: Verb[] }

/** A type of the API: the fields to ask for, and those that people see. */
export type Kind = { fields: string; columns: Columns }

/** What a mutation answers: the object in `field` of its payload, and more beside it. */
type Change = { mutation: string; field?: string; kind: Kind; more?: Kind & { note?: string } }

/** What the input of a mutation calls an option that the command line calls otherwise. */
const inputNames: { [option: string]: string } = {
  avatarUrl: 'avatarURL',
  customApps: 'customAppsEnabled',
  private: 'isPrivate',
  redirectUri: 'redirectURIs',
  scope: 'scopes',
}

/** Lists what the workspace of the first argument has in the field. */
export function listOfWorkspace(field: string, { fields, columns }: Kind): Verb['run'] {
  return async (client, command) => {
    const document = `query ($workspaceID: ID!, $after: String) { workspace(id: $workspaceID) { ${field}${pageOf(fields)} } }`
    const variables = argumentsOf(command)
    const edges = await listAll(client, { document, path: `workspace.${field}`, variables })
    return listAnswer(columns, edges)
  }
}

/** The nodes of a list, as an answer. */
export function listAnswer(columns: Columns, edges: readonly { node: unknown }[]): Answer {
  return rowsAnswer(
    columns,
    edges.map(({ node }) => node),
  )
}

/** Rows, as an answer. */
export function rowsAnswer(columns: Columns, rows: readonly unknown[]): Answer {
  return { json: rows, text: tableOf(columns, rows) }
}

/** Runs a mutation whose input is made of the command's arguments and options. */
export function change({ mutation, field, kind, more }: Change): Verb['run'] {
  const own = field ? `${field} { ${kind.fields} }` : kind.fields
  const inputType = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`
  const document = `mutation ($input: ${inputType}!) { ${mutation}(input: $input) { ${own} ${more?.fields ?? ''} } }`
  return async (client, command) => {
    const data = (await client(document, { input: inputOf(command) })) as { [mutation: string]: Payload }
    const answer = flat(data[mutation] ?? {}, field)
    const text = detailsOf({ ...kind.columns, ...more?.columns }, answer)
    return { json: answer, text: more?.note ? `${text}\n\n${more.note}` : text }
  }
}

type Payload = { [field: string]: unknown }

/** The object that a payload is about, with the rest of the payload beside the object's own fields. */
export function flat(payload: Payload, field: string | undefined): Payload {
  if (field === undefined) return payload
  const { [field]: object, ...rest } = payload
  return { ...(object as Payload), ...rest }
}

/** The arguments of the command by their names. */
export function argumentsOf(command: Command): Payload {
  return Object.fromEntries(
    command.registeredArguments.map((argument, index) => [argument.name(), command.processedArgs[index]]),
  )
}

/** The input of a mutation. An update that changes nothing ends the command. */
function inputOf(command: Command): Payload {
  const given = command.options
    .filter((option) => !option.negate)
    .map((option): [Option, unknown] => [option, command.getOptionValue(option.attributeName())])
    .filter(([, value]) => value !== undefined)
  if (command.name() === 'update' && given.length === 0) {
    command.error('error: nothing to change: give at least one option')
  }
  const fields = given.map(([option, value]): [string, unknown] => {
    const name = option.attributeName()
    return [inputNames[name] ?? name, inputValue(option, value)]
  })
  return { ...argumentsOf(command), ...Object.fromEntries(fields) }
}

/** An option with choices is on or off; `--no-email` takes away what `--email <address>` sets. */
function inputValue(option: Option, value: unknown): unknown {
  if (option.argChoices) return value === 'on'
  return value === false && option.required ? null : value
}
