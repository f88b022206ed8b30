import { enumTypes, inputTypes } from '../generated/sdk-inputs.ts'

/** Returns what is wrong with a value, such as `must be a string`, or undefined if the value is valid. */
type Rule = (value: unknown) => string | undefined
type Rules = Record<string, Rule>

function must(be: string, holds: (value: unknown) => boolean, missing = 'is required'): Rule {
  return (value) => {
    if (value === undefined) return missing
    return holds(value) ? undefined : `must be ${be}`
  }
}

function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value))
}

/** Accepts null, because the server treats null as absent. */
function nullable(rule: Rule): Rule {
  return (value) => (value == null ? undefined : rule(value))
}

function oneOf(values: string[] = []): Rule {
  return must(new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values), (value) =>
    values.includes(String(value)),
  )
}

const objectRule = must('an object', (value) => typeof value === 'object' && value !== null)
const arrayRule = must('an array', Array.isArray)
const booleanRule = must('true or false', (value) => typeof value === 'boolean')
const countRule = must('a whole number, 0 or more', (value) => Number.isInteger(value) && Number(value) >= 0)
const durationRule = must(
  'a number of milliseconds above 0',
  (value) => typeof value === 'number' && value > 0,
)
const timeRule = must(
  'a time in ISO 8601, such as 2026-01-31T12:00:00Z',
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
)
const signalRule = must('an AbortSignal', (value) => value instanceof AbortSignal)
const stringRule = must('a string', (value) => typeof value === 'string')
const textRule: Rule = (value) => (value === '' ? 'must not be empty' : stringRule(value))
const fetchRule = must(
  'a function',
  (value) => typeof value === 'function',
  'is required because this environment has no global fetch',
)
const documentRule = must(
  'a string, a document of this package or a syntax tree of graphql-js',
  (value) => typeof value === 'string' || value instanceof String || Object(value).kind === 'Document',
)
const baseURLRule = must(
  'an http or https URL without a query or fragment, such as https://skein.example.com',
  (value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return false
    const { href, protocol, origin, pathname } = new URL(value)
    return /^https?:$/.test(protocol) && href === origin + pathname
  },
  'is required, for example https://skein.example.com',
)

function listOf(values: string[] = []): Rule {
  return must(`an array of ${joinWords(values)}`, (value) => {
    return Array.isArray(value) && value.every((one) => values.includes(one))
  })
}

const scalars: Rules = {
  ID: textRule,
  Boolean: booleanRule,
  DateTime: timeRule,
  Int: must('a whole number', Number.isInteger),
}

const callRules = {
  signal: optional(signalRule),
  retries: optional(countRule),
  attemptTimeoutMs: optional(durationRule),
  timeoutMs: optional(durationRule),
}
const listRules = { after: optional(stringRule), ...callRules }
/** Properties of `data/starter.json` that the client ignores, because a caller can pass the whole file. */
const starterNames = ['groupID', 'privateGroupID', 'userIDs', 'appID', 'webhookURL', 'operatorToken']
const credentials = ['workspaceID', 'clientID', 'clientSecret', 'redirectURI']
const optionsOf = {
  call: callRules,
  request: { isRepeatable: optional(booleanRule), ...callRules },
  groups: { search: optional(stringRule), ...listRules },
  users: { email: optional(stringRule), search: optional(stringRule), ...listRules },
  threads: { filter: nullable(objectRule), order: nullable(oneOf(enumTypes.ThreadOrder)), ...listRules },
  search: {
    filter: nullable(objectRule),
    order: nullable(oneOf(enumTypes.MessageSearchOrder)),
    ...listRules,
  },
  post: {
    ...rulesOf('MessageInput'),
    target: nullable(textRule),
    threadSubject: nullable(textRule),
    threadBy: nullable(textRule),
  },
  messages: {
    last: optional(countRule),
    around: optional(textRule),
    unread: optional(booleanRule),
    ...listRules,
  },
  events: {
    after: optional(textRule),
    types: optional(listOf(enumTypes.EventType)),
    threadID: optional(textRule),
    groupID: optional(textRule),
    signal: optional(signalRule),
  },
  webhook: { fetch: fetchRule, ...callRules },
}

const filterTypes: Partial<Record<keyof typeof optionsOf, string>> = {
  threads: 'ThreadFilter',
  search: 'MessageSearchFilter',
}

const clientRules = {
  baseURL: baseURLRule,
  accessToken: optional(textRule),
  ...Object.fromEntries(credentials.map((name) => [name, optional(textRule)])),
  fetch: fetchRule,
  ...callRules,
}

export const argumentRules = {
  object: objectRule,
  list: arrayRule,
  string: stringRule,
  text: textRule,
  document: documentRule,
}

/** Checks the options of a client. Throws a TypeError that lists all problems. */
export function checkClientOptions(options: unknown): void {
  if (objectRule(options) !== undefined) {
    throw new TypeError(
      'The options must be an object with baseURL and the credentials of an app, or an accessToken.',
    )
  }
  const { fetch = globalThis.fetch, ...values } = options as Record<string, unknown>
  for (const name of starterNames) delete values[name]
  throwIfAny([...problemsIn({ fetch, ...values }, clientRules), ...problemsOfCredentials(values)])
}

export function checkOptions<Options extends object>(
  kind: keyof typeof optionsOf,
  options = {} as Options,
): Partial<Options> {
  check({ options }, { options: objectRule })
  const values = { ...options } as Record<string, unknown>
  throwIfAny([
    ...problemsIn(values, optionsOf[kind]),
    ...problemsOfInput(filterTypes[kind], values.filter, 'filter.'),
  ])
  return options
}

export function checkInput(type: string, input: unknown): void {
  check({ input }, { input: objectRule })
  throwIfAny(problemsOfInput(type, input))
}

export function check(values: Record<string, unknown>, rules: Rules): void {
  throwIfAny(problemsIn(values, rules))
}

/** Joins words for a sentence, such as `a, b and c`. */
export function joinWords(words: string[]): string {
  return new Intl.ListFormat('en-GB').format(words)
}

function problemsIn(values: Record<string, unknown>, rules: Rules, path = ''): string[] {
  const names = Object.keys(rules)
  const unknown = Object.keys(values).filter((name) => !names.includes(name))
  const hint = (name: string) => (names.includes('filter') ? ` To filter, give { filter: { ${name} } }.` : '')
  return [
    ...names.flatMap((name) => {
      const problem = rules[name]?.(values[name])
      return problem ? [`${path}${name} ${problem}.`] : []
    }),
    ...unknown.map(
      (name) => `${path}${name} is not an option: the options are ${joinWords(names)}.${hint(name)}`,
    ),
  ]
}

function problemsOfInput(type = '', input: unknown, path = ''): string[] {
  const fields = Object.entries(inputTypes[type] ?? {})
  if (fields.length === 0 || objectRule(input) !== undefined) return []
  const values = input as Record<string, unknown>
  return [
    ...problemsIn(values, rulesOf(type), path),
    ...fields.flatMap(([name, field]) => problemsOfInput(bare(field), values[name], `${path}${name}.`)),
  ]
}

function rulesOf(inputType: string): Rules {
  const fields = Object.entries(inputTypes[inputType] ?? {})
  return Object.fromEntries(fields.map(([name, type]) => [name, ruleOf(type)]))
}

/** Returns the rule for a type in the notation of the schema, such as `ThreadInput` or `[ID!]!`. */
function ruleOf(type: string): Rule {
  const name = bare(type)
  const ofName = name in enumTypes ? oneOf(enumTypes[name]) : (scalars[name] ?? stringRule)
  const rule = type.startsWith('[') ? arrayRule : name in inputTypes ? objectRule : ofName
  return type.endsWith('!') ? rule : nullable(rule)
}

function bare(type: string): string {
  return type.replace('!', '')
}

function problemsOfCredentials(values: Record<string, unknown>): string[] {
  const missing = credentials.filter((name) => values[name] === undefined)
  if (values.accessToken !== undefined) {
    const isBoth = missing.length < credentials.length
    return isBoth ? [`Give either accessToken or ${joinWords(credentials)}, not both.`] : []
  }
  if (missing.length === credentials.length) {
    return [`Give an accessToken, or the credentials of an app: ${joinWords(credentials)}.`]
  }
  return missing.map((name) => `${name} is required with the other credentials.`)
}

function throwIfAny(problems: string[]): void {
  if (problems.length > 0) throw new TypeError(problems.join(' '))
}
