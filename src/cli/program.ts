import { Command, InvalidArgumentError, Option } from 'commander'
import { escapeControlCharactersInLines } from '../text/escape-control-characters.ts'
import { backup, restore, verify } from './backups.ts'
import { clientOf } from './client.ts'
import { accounts, signInLink } from './command-groups/accounts.ts'
import { apps, installations } from './command-groups/apps.ts'
import { audit } from './command-groups/audit.ts'
import { deliveries } from './command-groups/deliveries.ts'
import { endpoints } from './command-groups/endpoints.ts'
import { files } from './command-groups/files.ts'
import { groups } from './command-groups/groups.ts'
import { members } from './command-groups/members.ts'
import { operatorTokens } from './command-groups/operator-tokens.ts'
import { users } from './command-groups/users.ts'
import { webhooks } from './command-groups/webhooks.ts'
import { starter, welcome, workspaces } from './command-groups/workspaces.ts'
import { events } from './conversations/events.ts'
import { read } from './conversations/read.ts'
import { send } from './conversations/send.ts'
import { doctor } from './doctor.ts'
import { Failure } from './failure.ts'
import { argumentOf } from './options.ts'
import { jsonOf } from './print.ts'
import { defaultURL, type Environment, problemOfURL, serverAt } from './server.ts'
import type { CommandGroup, Subcommand } from './subcommands.ts'

const commandGroups = [
  workspaces,
  users,
  groups,
  members,
  apps,
  installations,
  webhooks,
  endpoints,
  deliveries,
  accounts,
  operatorTokens,
  files,
]

const connectionHelp = `
The operator token is read from OPERATOR_TOKEN. If that is not set, it is read from the
file operator-token in DATA_DIR (./data by default), which the server creates when it
first starts. The URL of the server is taken from --url, BASE_URL or PORT, in this order.
If none of them is set, it is read from the file address in DATA_DIR. The commands send,
read and events use --url, or the URL in the credentials file.
`

/** The environment, the output and the terminal of a command. Without a terminal, `ask` is missing. */
export type CommandContext = {
  env: Environment
  write: (text: string) => void
  ask?: (question: string) => Promise<string>
}

export function programOf(context: CommandContext): Command {
  const { env } = context
  const name = env.npm_lifecycle_event === 'admin' ? 'npm run admin --' : 'skein admin'
  const program = new Command(name)
    .description("The operator's command line for Skein. It uses the GraphQL API of a running server.")
    .addOption(urlOption(env))
    .addOption(
      new Option('--workspace <workspace>', 'the name or ID of the workspace, if there are several').env(
        'SKEIN_WORKSPACE',
      ),
    )
    .option('--json', 'print JSON instead of text')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see the usage.')
    .exitOverride()
  for (const group of commandGroups) addGroup(program, group, context)
  for (const subcommand of [
    send,
    read,
    events,
    audit,
    signInLink,
    starter,
    welcome,
    backup,
    verify,
    restore,
    doctor,
  ])
    addSubcommand(program, subcommand, context)
  const groupExamples = commandGroups.map(
    ({ name, subcommands }) => `${name} ${exampleOf(subcommands.slice(0, 2).at(-1))}`,
  )
  return program.addHelpText('after', examples(program, groupExamples) + connectionHelp + npmHint(name))
}

function urlOption(env: Environment): Option {
  return new Option('--url <url>', 'the URL of the server')
    .env('BASE_URL')
    .default(defaultURL(env))
    .argParser((text) => {
      if (text === '') return defaultURL(env)
      const problem = problemOfURL(text)
      if (problem) throw new InvalidArgumentError(problem)
      return text
    })
}

function addGroup(program: Command, group: CommandGroup, context: CommandContext): void {
  const { name, description, subcommands } = group
  const command = program.command(name).description(description)
  for (const subcommand of subcommands) addSubcommand(command, subcommand, context)
  command.addHelpText('after', examples(command, subcommands.map(exampleOf)))
}

function addSubcommand(parent: Command, subcommand: Subcommand, context: CommandContext): void {
  const { env, write } = context
  const [name = '', ...names] = subcommand.usage.split(' ')
  const command = parent.command(name).description(subcommand.description)
  for (const argument of names) command.addArgument(argumentOf(argument))
  for (const option of subcommand.options ?? []) command.addOption(option)
  if (subcommand.confirm) command.option('--yes', 'do not ask for confirmation')
  command.addHelpText('after', examples(parent, [exampleOf(subcommand)]))
  for (const each of subcommand.subcommands ?? []) addSubcommand(command, each, context)
  command.action(async () => {
    const { url, json } = command.optsWithGlobals<{ url: string; json?: true }>()
    const client = clientOf(() => serverAt(url, env))
    const result = await subcommand.run(client, command, {
      env,
      confirm: () => confirm(subcommand, command, context),
    })
    const isStream = Symbol.asyncIterator in result
    for await (const output of isStream ? result : [result]) {
      const text = json
        ? jsonOf(output.json, isStream ? 0 : undefined)
        : escapeControlCharactersInLines(output.text)
      write(`${text}\n`)
      if (output.failure !== undefined) throw new Failure(output.failure)
    }
  })
}

async function confirm({ confirm }: Subcommand, command: Command, { ask }: CommandContext): Promise<void> {
  if (!confirm || command.opts<{ yes?: true }>().yes) return
  if (!ask) throw new Failure(`${confirm} Add --yes to confirm.`)
  const subject = command.processedArgs.join(' ')
  const answer = await ask(`${subject && `${subject}: `}${confirm} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.')
}

function exampleOf(subcommand: Subcommand | undefined): string {
  return subcommand ? `${subcommand.usage.split(' ')[0]} ${subcommand.example}`.trim() : ''
}

function examples(command: Command, lines: string[]): string {
  const path = [command.parent?.name(), command.name()].filter(Boolean).join(' ')
  return `\nExamples:\n${lines.map((line) => `  ${path} ${line}\n`).join('')}`
}

function npmHint(name: string): string {
  if (name === 'skein admin') return ''
  return '\nIn scripts, use npm run --silent admin -- ... --json. Without --silent, npm prints extra lines.\n'
}
