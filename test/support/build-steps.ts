import { runInNewContext } from 'node:vm'

/** What a build server knows about a build, such as the `status` of its `job`. */
export type Contexts = Record<string, Record<string, string>>

/** A script of a build, with the variables that the step itself sets. */
export type ShellStep = { script: string; env: Record<string, string> }

const gitHubForm = [
  '^- name: .+',
  String.raw`  if: always\(\)`,
  '  env:',
  String.raw`(?<env>(?:    \w+: (?:(?!: | #).)+\n)+)  run: \|`,
  String.raw`(?<script>(?:    .+\n?)+)$`,
]

const jenkinsForm = [
  String.raw`^post \{`,
  String.raw`  always \{`,
  String.raw`    withCredentials\(\[string\(credentialsId: '(?<id>[\w-]+)', variable: '(?<secret>\w+)'\)\]\) \{`,
  String.raw`      withEnv\(\["(?<variable>\w+)=(?<value>[^"]+)"\]\) \{`,
  "        sh '''",
  '(?<script>[^]+?)',
  "        '''",
  String.raw`      \}`,
  String.raw`    \}`,
  String.raw`  \}`,
  String.raw`\}$`,
]

/** Reads a step of a workflow of GitHub Actions. Throws if it does not have exactly the known form. */
export function readGitHubStep(text: string, contexts: Contexts): ShellStep {
  const { env = '', script = '' } = partsOf(text, gitHubForm)
  const variables = [...env.matchAll(/^ {4}(\w+): (.+)$/gm)].map(([, name = '', value = '']) => [
    name,
    withValues(value, /\$\{\{ (.+?) \}\}/g, contexts),
  ])
  return { script: script.replaceAll(/^ {4}/gm, ''), env: Object.fromEntries(variables) }
}

/** Reads the `post` section of a Jenkinsfile. Throws if it does not have exactly the known form. */
export function readJenkinsStep(text: string, { credentials = {}, ...contexts }: Contexts): ShellStep {
  const { id = '', secret = '', variable = '', value = '', script = '' } = partsOf(text, jenkinsForm)
  const env = { [secret]: credentials[id] ?? '', [variable]: withValues(value, /\$\{(.+?)\}/g, contexts) }
  // In a Groovy string, a backslash at the end of a line removes the line break.
  return { script: script.replaceAll('\\\n', ''), env }
}

function partsOf(text: string, lines: readonly string[]): Record<string, string> {
  const { groups } = new RegExp(lines.join('\n')).exec(text) ?? {}
  if (!groups) throw new Error(`This step has an unknown form:\n${text}`)
  return groups
}

function withValues(text: string, pattern: RegExp, contexts: Contexts): string {
  return text.replaceAll(pattern, (_, expression: string) => evaluate(expression, contexts))
}

// The operators of the steps mean the same in JavaScript, in Groovy and in the expressions of GitHub.
function evaluate(expression: string, contexts: Contexts): string {
  const known = expression.replaceAll(/\b([A-Za-z]+)\.([\w-]+)/g, (path, context: string, name: string) => {
    const value = contexts[context]?.[name]
    if (value === undefined) throw new Error(`The build has no ${path}.`)
    return JSON.stringify(value)
  })
  return String(runInNewContext(known))
}
