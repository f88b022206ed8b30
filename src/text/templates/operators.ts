import { type Context, Drop, toValue } from 'liquidjs'
import type { Budget } from './budget.ts'
import { budgetOf } from './template-context.ts'
import { charactersPerItem, isBlankValue, numberOf, searchTextOf } from './values.ts'

/** The operators of Liquid. Those of the library compare lists item by item, however long these are. */
export const operators = {
  '==': binary(isSame),
  '!=': binary((left, right, budget) => !isSame(left, right, budget)),
  '>': binary((left, right, budget) => compare(left, right, budget) > 0),
  '<': binary((left, right, budget) => compare(left, right, budget) < 0),
  '>=': binary((left, right, budget) => compare(left, right, budget) >= 0),
  '<=': binary((left, right, budget) => compare(left, right, budget) <= 0),
  contains: binary(contains),
  not: (value: unknown) => !isTrue(value),
  and: (left: unknown, right: unknown) => isTrue(left) && isTrue(right),
  or: (left: unknown, right: unknown) => isTrue(left) || isTrue(right),
}

type Compare = (left: unknown, right: unknown, budget: Budget) => boolean

function binary(is: Compare) {
  return (left: unknown, right: unknown, context: Context) => is(left, right, budgetOf(context))
}

function isTrue(value: unknown): boolean {
  const given: unknown = toValue(value)
  return given !== false && given != null
}

/** Compares simple values. The words `blank` and `empty` equal all that shows nothing. Two lists are never the same. */
export function isSame(left: unknown, right: unknown, budget: Budget): boolean {
  if (isBlankWord(right)) return isBlankWord(left) || isBlankValue(toValue(left), budget)
  if (isBlankWord(left)) return isBlankValue(toValue(right), budget)
  const [one, other] = [simple(left), simple(right)]
  if (typeof one === 'string' && typeof other === 'string')
    budget.read(one.length === other.length ? one.length : 0)
  return one === other
}

// A list or an object is unlike each simple value, and unlike itself.
function simple(value: unknown): unknown {
  const given: unknown = toValue(value) ?? null
  return typeof given === 'object' && given !== null ? Number.NaN : given
}

/** The library has objects for `blank`, `empty` and `nil`. The value of the first two is an empty text. */
function isBlankWord(value: unknown): boolean {
  return value instanceof Drop && toValue(value) === ''
}

/** Returns a number below, equal to or above 0. Returns NaN for values that have no order. */
function compare(left: unknown, right: unknown, budget: Budget): number {
  const [one, other]: unknown[] = [toValue(left), toValue(right)]
  const difference = numberOf(one) - numberOf(other)
  if (!Number.isNaN(difference) || typeof one !== 'string' || typeof other !== 'string') return difference
  budget.read(Math.min(one.length, other.length))
  if (one === other) return 0
  return one < other ? -1 : 1
}

function contains(left: unknown, right: unknown, budget: Budget): boolean {
  const whole: unknown = toValue(left)
  if (Array.isArray(whole)) {
    budget.read(charactersPerItem * whole.length)
    return whole.some((item) => isSame(item, right, budget))
  }
  const part = searchTextOf(toValue(right), budget)
  if (typeof whole !== 'string')
    return typeof whole === 'object' && whole !== null && Object.hasOwn(whole, part)
  budget.read(whole.length)
  return whole.includes(part)
}
