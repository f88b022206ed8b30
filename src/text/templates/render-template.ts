import { LiquidError, type Template, TokenizationError, Tokenizer, TypeGuards } from 'liquidjs'
import { LRUCache } from 'lru-cache'
import { OutOfTime } from './budget.ts'
import { filterNames, liquid, tagNames } from './liquid.ts'
import { operators } from './operators.ts'
import { type Rendering, TemplateContext } from './template-context.ts'
import { TemplateProblem } from './template-problem.ts'

const maxDepth = 20
const blocks = ['case', 'capture', 'for', 'if', 'unless']
/** The parsed templates take about 300 times as many bytes. */
const maxCachedCharacters = 200_000
const parsed = new LRUCache<string, Template[]>({
  maxSize: maxCachedCharacters,
  sizeCalculation: (_templates, source) => source.length || 1,
})

/** Throws a TemplateProblem if a template cannot be parsed. */
export function checkTemplate(source: string): void {
  withProblem(() => parse(source))
}

/** Renders a template. Throws a TemplateProblem with its line, or OutOfTime. */
export function renderTemplate(source: string, rendering: Rendering): string {
  return withProblem(() => {
    const templates = parsed.get(source) ?? parse(source)
    parsed.set(source, templates)
    return String(liquid.renderSync(templates, new TemplateContext(liquid, rendering)))
  })
}

function parse(source: string): Template[] {
  let depth = 0
  let isComment = false
  // The tokenizer reads the inside of raw as one text.
  for (const token of new Tokenizer(source, operators).readTopLevelTokens(liquid.options)) {
    if (!TypeGuards.isTagToken(token)) continue
    if (isComment || token.name === 'comment') {
      isComment = token.name !== 'endcomment'
      continue
    }
    if (blocks.includes(token.name)) depth += 1
    if (blocks.some((name) => token.name === `end${name}`)) depth -= 1
    if (depth > maxDepth) throw new TokenizationError(tooDeep, token)
  }
  return liquid.parse(source)
}

const tooDeep = 'it is nested too deeply'

function withProblem<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw problemOf(error)
  }
}

function problemOf(error: unknown): unknown {
  if (error instanceof RangeError) return new TemplateProblem(tooDeep)
  if (!LiquidError.is(error)) return error
  const { originalError: cause, token } = error
  if (cause instanceof OutOfTime) return cause
  const [line] = token.getPosition()
  if (cause instanceof TemplateProblem) return new TemplateProblem(cause.reason, line)
  if (cause instanceof RangeError) return new TemplateProblem(tooDeep, line)
  return new TemplateProblem(
    reasonOf(cause?.message ?? error.message.replace(/, line:\d+, col:\d+$/, '')),
    line,
  )
}

/** Adds what there is to the messages of the library about what there is not. */
function reasonOf(message: string): string {
  const [, filter] = /^undefined filter: (.*)$/s.exec(message) ?? []
  if (filter !== undefined) return `there is no filter "${filter}"; the filters are ${filterNames.join(', ')}`
  const [, tag] = /^tag "(.*)" not found$/s.exec(message) ?? []
  return tag === undefined ? message : `there is no tag "${tag}"; the tags are ${tagNames.join(', ')}`
}
