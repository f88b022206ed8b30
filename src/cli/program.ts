import { Command, InvalidArgumentError, Option } from 'commander'
import { clientOf } from './client.ts'
import { apps, installations } from './nouns/apps.ts'
import { groups } from './nouns/groups.ts'
import { members } from './nouns/members.ts'
import { starter } from './nouns/starter.ts'
import { users } from './nouns/users.ts'
import { webhooks } from './nouns/webhooks.ts'
import { workspaces } from './nouns/workspaces.ts'
import { harmlessLines, jsonOf } from './print.ts'
import { defaultURL, type Environment, problemOfURL, serverAt } from './server.ts'
import type { Noun, Verb } from './verbs.ts'

const nouns = [workspaces, users, groups, members, apps, installations, webhooks]

const argumentHelp: { [name: string]: string } = {
  workspaceID: 'the ID of the workspace, wks_...',
  userID: 'the ID of the user, usr_...',
  userIDs: 'the IDs of users, usr_...',
  groupID: "the ID of the group, grp_..., or the workspace's for its General group",
  appID: 'the ID of the app, app_...',
  webhookID: 'the ID of the webhook, wbh_...',
  role: 'admin or member',
  name: 'the name to show, 1 to 100 characters',
}

const who = `
The operator's token comes from OPERATOR_TOKEN, or else from the file operator-token
in DATA_DIR (./data unless told), where the server keeps the one it made.
`

/** What a command works with: the environment, and where its answer goes. */
export type Surroundings = { env: Environment; write: (text: string) => void }

/** The command line. Its actions throw Failure. */
export function programOf(surroundings: Surroundings): Command {
  const { env } = surroundings
  const name = env.npm_lifecycle_event === 'admin' ? 'npm run admin --' : 'skein'
  const program = new Command(name)
    .description("The operator's command line of Skein: a client of its GraphQL API.")
    .addOption(urlOption(env))
    .option('--json', 'print JSON, for programs')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see what there is.')
    .exitOverride()
  for (const noun of nouns) addNoun(program, noun, surroundings)
  addVerb(program, starter, surroundings)
  const firsts = nouns.map(({ name, verbs }) => `${name} ${exampleOf(verbs.slice(0, 2).at(-1))}`)
  return program.addHelpText('after', examples(program, firsts) + who + npmHint(name))
}

function urlOption(env: Environment): Option {
  return new Option('--url <url>', 'where the server is')
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

function addVerb(parent: Command, verb: Verb, { env, write }: Surroundings): void {
  const [name = '', ...names] = verb.usage.split(' ')
  const command = parent.command(name).description(verb.says)
  for (const argument of names) command.argument(argument, argumentHelp[argument.replace(/[<>.]/g, '')])
  for (const option of verb.options ?? []) command.addOption(option)
  command.addHelpText('after', examples(parent, [exampleOf(verb)]))
  command.action(async () => {
    const { url, json } = command.optsWithGlobals<{ url: string; json?: true }>()
    const answer = await verb.run(clientOf(serverAt(url, env)), command)
    write(`${json ? jsonOf(answer.json) : harmlessLines(answer.text)}\n`)
  })
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
  return '\nFor programs: npm run --silent admin -- ... --json, since npm prints lines of its own.\n'
}
