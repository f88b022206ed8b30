import {
  AssignTag,
  BreakTag,
  CaptureTag,
  CommentTag,
  ContinueTag,
  type FilterImplOptions,
  IfTag,
  InlineCommentTag,
  Liquid,
  RawTag,
  toValue,
  UnlessTag,
} from 'liquidjs'
import type { Budget } from './budget.ts'
import { date } from './filters/date-filter.ts'
import { textFilters } from './filters/text-filters.ts'
import { valueFilters } from './filters/value-filters.ts'
import { operators } from './operators.ts'
import { BoundedCaseTag, BoundedForTag } from './tags.ts'
import { budgetOf, contextOf } from './template-context.ts'
import { textOf } from './values.ts'

/** All tags. None of them reads a file or another template. */
const tags = {
  assign: AssignTag,
  break: BreakTag,
  capture: CaptureTag,
  case: BoundedCaseTag,
  comment: CommentTag,
  continue: ContinueTag,
  for: BoundedForTag,
  if: IfTag,
  raw: RawTag,
  unless: UnlessTag,
  '#': InlineCommentTag,
}

type Filter = (budget: Budget, value: unknown, ...args: unknown[]) => unknown

/** All filters, except those that say how a value is written. Each takes time in proportion to what it counts. */
const filters: Record<string, Filter> = { ...textFilters, ...valueFilters, date }

/** The filters after which a value is not escaped. They have to be the last. */
const writers: Record<string, FilterImplOptions> = {
  raw: writer((_markup, text) => text),
  code: writer(({ code }, text, language) => code(text, /^[\w+#-]{1,20}$/.test(language) ? language : '')),
  link: writer(({ link }, text, url) => link(text, url)),
}

type Markup = ReturnType<typeof contextOf>['markup']

function writer(write: (markup: Markup, text: string, argument: string) => string): FilterImplOptions {
  return {
    raw: true,
    handler(value: unknown, argument: unknown) {
      const { markup, budget } = contextOf(this.context)
      return write(markup, textOf(toValue(value), budget), textOf(toValue(argument), budget))
    },
  }
}

// The library calls the function as a filter.
function write(this: unknown, value: unknown): string {
  const { context } = this as ThisParameterType<Extract<FilterImplOptions, (...args: never) => unknown>>
  const { markup, budget } = contextOf(context)
  return markup.value(textOf(value, budget))
}

export const liquid = createLiquid()
export const tagNames = Object.keys(tags)
export const filterNames = [...Object.keys(filters), ...Object.keys(writers)].toSorted()

/** Creates the library's engine with nothing but the tags, the filters and the operators of this file. */
function createLiquid(): Liquid {
  const engine = new Liquid({
    operators,
    strictFilters: true,
    ownPropertyOnly: true,
    outputEscape: write,
    templates: {}, // instead of files
  })
  for (const name of Object.keys(engine.tags)) delete engine.tags[name]
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name)
  for (const [name, tag] of Object.entries(tags)) engine.registerTag(name, tag)
  for (const [name, filter] of Object.entries(writers)) engine.registerFilter(name, filter)
  for (const [name, filter] of Object.entries(filters))
    engine.registerFilter(name, function (value: unknown, ...args: unknown[]) {
      return filter(budgetOf(this.context), toValue(value), ...args.map(toValue))
    })
  return engine
}
