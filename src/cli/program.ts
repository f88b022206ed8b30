import { Command, InvalidArgumentError, Option } from 'commander'
import { harmlessLines } from '../text/harmless.ts'
import { clientOf } from './client.ts'
import { read } from './conversations/read.ts'
import { send } from './conversations/send.ts'
import { Failure } from './failure.ts'
import { apps, installations } from './nouns/apps.ts'
import { groups } from './nouns/groups.ts'
import { members } from './nouns/members.ts'
import { starter, welcome } from './nouns/starter.ts'
import { users } from './nouns/users.ts'
import { webhooks } from './nouns/webhooks.ts'
import { workspaces } from './nouns/workspaces.ts'
import { jsonOf } from './print.ts'
import { defaultURL, type Environment, problemOfURL, serverAt } from './server.ts'
import type { Noun, Verb } from './verbs.ts'

const nouns = [workspaces, users, groups, members, apps, installations, webhooks]

const argumentHelp: { [name: string]: string } = {
  workspace: 'the name or ID of the workspace',
  user: 'the name, email address or ID of the user',
  users: 'the names, email addresses or IDs of the users',
  group: 'the name or ID of the group',
  app: 'the name or ID of the app',
  webhook: 'the name or ID of the webhook',
  to: 'a group (name or ID), a person (name, email address or ID) or a thread (ID)',
  from: 'a group (name or ID), a person (name, email address or ID) or a thread (ID)',
  text: 'the text of the message, in Markdown',
  url: 'the full URL of the webhook',
  role: 'admin or member',
  name: 'the name, 1 to 100 characters',
}

const who = `
The operator token is read from OPERATOR_TOKEN. If that is not set, it is read from the
file operator-token in DATA_DIR (./data by default), which the server creates when it
first starts. The URL of the server is taken from --url, BASE_URL or PORT, in this order.
If none of them is set, it is read from the file address in DATA_DIR.
`

/** What a command works with. Without `ask`, nobody can answer a question. */
export type Surroundings = {
  env: Environment
  write: (text: string) => void
  ask?: (question: string) => Promise<string>
}

export function programOf(surroundings: Surroundings): Command {
  const { env } = surroundings
  const name = env.npm_lifecycle_event === 'admin' ? 'npm run admin --' : 'skein'
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
  for (const noun of nouns) addNoun(program, noun, surroundings)
  for (const verb of [send, read, starter, welcome]) addVerb(program, verb, surroundings)
  const firsts = nouns.map(({ name, verbs }) => `${name} ${exampleOf(verbs.slice(0, 2).at(-1))}`)
  return program.addHelpText('after', examples(program, firsts) + who + npmHint(name))
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

function addNoun(program: Command, { name, says, verbs }: Noun, surroundings: Surroundings): void {
  const command = program.command(name).description(says)
  for (const verb of verbs) addVerb(command, verb, surroundings)
  command.addHelpText('after', examples(command, verbs.map(exampleOf)))
}

function addVerb(parent: Command, verb: Verb, surroundings: Surroundings): void {
  const { env, write } = surroundings
  const [name = '', ...names] = verb.usage.split(' ')
  const command = parent.command(name).description(verb.says)
  for (const argument of names) command.argument(argument, argumentHelp[argument.replace(/[<>.]/g, '')])
  for (const option of verb.options ?? []) command.addOption(option)
  if (verb.confirm) command.option('--yes', 'do not ask for confirmation')
  command.addHelpText('after', examples(parent, [exampleOf(verb)]))
  command.action(async () => {
    const { url, json } = command.optsWithGlobals<{ url: string; json?: true }>()
    const client = clientOf(() => serverAt(url, env))
    const answer = await verb.run(client, command, {
      env,
      confirm: () => confirm(verb, command, surroundings),
    })
    write(`${json ? jsonOf(answer.json) : harmlessLines(answer.text)}\n`)
  })
}

async function confirm({ confirm }: Verb, command: Command, { ask }: Surroundings): Promise<void> {
  if (!confirm || command.opts<{ yes?: true }>().yes) return
  if (!ask) throw new Failure('This cannot be undone. Add --yes to confirm.')
  const answer = await ask(`${command.processedArgs.join(' ')}: ${confirm} [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.')
}

function exampleOf(verb: Verb | undefined): string {
  return verb ? `${verb.usage.split(' ')[0]} ${verb.example}`.trim() : ''
}

function examples(command: Command, lines: string[]): string {
  const path = [command.parent?.name(), command.name()].filter(Boolean).join(' ')
  return `\nExamples:\n${lines.map((line) => `  ${path} ${line}\n`).join('')}`
}

function npmHint(name: string): string {
  if (name === 'skein') return ''
  return '\nIn scripts, use npm run --silent admin -- ... --json. Without --silent, npm prints extra lines.\n'
}
