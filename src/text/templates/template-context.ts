import { Context, type Liquid, toValue } from 'liquidjs'
import type { Budget } from './budget.ts'
import { TemplateProblem } from './template-problem.ts'
import { ownValue, sizeOf } from './values.ts'

/** How the values of a template are written. */
export type Markup = {
  value: (text: string) => string
  code: (text: string, language: string) => string
  link: (label: string, url: string) => string
}

export type Rendering = { body: unknown; budget: Budget; markup: Markup }

/** What a template reads: its own names, the fields of the body, and the whole body as `body`. */
export class TemplateContext extends Context {
  readonly budget: Budget
  readonly markup: Markup
  readonly #body: unknown
  readonly #names: Record<string, unknown>[]

  constructor(liquid: Liquid, { body, budget, markup }: Rendering) {
    super({}, liquid.options, { sync: true }, { liquid })
    this.budget = budget
    this.markup = markup
    this.#body = body
    this.#names = [this.bottom() as Record<string, unknown>]
    this.renderLimit.check = () => budget.checkTime()
    // The library uses this limit for ranges only. It would never end a range of numbers above 2^53.
    this.memoryLimit.use = () => {
      throw new TemplateProblem('ranges such as (1..5) are not available')
    }
  }

  override push(names: object): number {
    return this.#names.push(names as Record<string, unknown>)
  }

  override pop(): object | undefined {
    return this.#names.pop()
  }

  override *_get([name, ...path]: unknown[]): IterableIterator<unknown> {
    return yield this.#follow(this.#valueOf(toValue(name)), path)
  }

  override *_getFromScope(scope: unknown, path: unknown[] | string): IterableIterator<unknown> {
    return yield this.#follow(toValue(scope), typeof path === 'string' ? [path] : path)
  }

  #valueOf(name: unknown): unknown {
    if (typeof name !== 'string') return undefined
    const scope = this.#names.findLast((names) => Object.hasOwn(names, name))
    if (scope) return scope[name]
    return name === 'body' ? this.#body : this.#property(this.#body, name)
  }

  #follow(start: unknown, path: readonly unknown[]): unknown {
    return path.reduce((value: unknown, name) => this.#property(value, toValue(name)), start)
  }

  #property(value: unknown, name: unknown): unknown {
    if (Array.isArray(value) && typeof name === 'number') return value.at(name)
    if (typeof name !== 'string' && typeof name !== 'number') return undefined
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const own = ownValue(value, String(name))
      if (own !== undefined) return own
    }
    if (name === 'size') return sizeOf(value, this.budget)
    if (!Array.isArray(value)) return undefined
    return name === 'first' ? value[0] : name === 'last' ? value.at(-1) : undefined
  }
}

export function contextOf(context: Context): TemplateContext {
  if (context instanceof TemplateContext) return context
  throw new Error('The context of a template is not bounded')
}

export function budgetOf(context: Context): Budget {
  return contextOf(context).budget
}
