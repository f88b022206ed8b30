import {
  CaseTag,
  type Context,
  type Emitter,
  evalToken,
  ForTag,
  type Liquid,
  type Parser,
  type TagToken,
  type Template,
  type TopLevelToken,
  toValue,
  toValueSync,
} from 'liquidjs'
import type { Budget } from './budget.ts'
import { isSame } from './operators.ts'
import { contextOf } from './template-context.ts'
import { namesOf, numberOf, ownValue } from './values.ts'

/** A loop that counts its turns. */
export class BoundedForTag extends ForTag {
  readonly #sourceCharacters: number

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser)
    this.#sourceCharacters = (remaining[0]?.begin ?? token.input.length) - token.begin
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, Template[]> {
    const { budget } = contextOf(context)
    const items = itemsOf(toValue(toValueSync(evalToken(this.collection, context))), budget)
    const { offset, limit, reversed } = toValueSync(this.hash.render(context)) as Record<string, unknown>
    const start = Math.min(countOf(offset, 0), items.length)
    const length = Math.min(countOf(limit, items.length), items.length - start)
    if (length === 0) yield this.liquid.renderer.renderTemplates(this.elseTemplates, context, emitter)
    const names: Record<string, unknown> = Object.create(null)
    context.push(names)
    for (let turn = 0; turn < length && !context.breakCalled; turn += 1) {
      budget.turn(this.#sourceCharacters)
      names[this.variable] = items[start + (reversed ? length - 1 - turn : turn)]
      names.forloop = placeOf(turn, length)
      context.continueCalled = false
      yield this.liquid.renderer.renderTemplates(this.templates, context, emitter)
    }
    context.continueCalled = false
    context.breakCalled = false
    context.pop()
  }
}

function itemsOf(value: unknown, budget: Budget): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return namesOf(value, budget).map((name) => [name, ownValue(value, name)])
}

function countOf(value: unknown, otherwise: number): number {
  const number = Math.trunc(numberOf(toValue(value)))
  return number >= 0 ? number : otherwise
}

function placeOf(turn: number, length: number): object {
  const [first, last] = [turn === 0, turn === length - 1]
  return {
    index: turn + 1,
    index0: turn,
    rindex: length - turn,
    rindex0: length - turn - 1,
    first,
    last,
    length,
  }
}

/** Compares as the operators do. */
export class BoundedCaseTag extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { budget } = contextOf(context)
    const target: unknown = toValueSync(this.value.value(context, false))
    const branch = this.branches.find(({ values }) =>
      values.some((value) => isSame(target, toValueSync(evalToken(value, context)), budget)),
    )
    yield this.liquid.renderer.renderTemplates(branch?.templates ?? this.elseTemplates, context, emitter)
  }
}
