import type { Budget } from '../budget.ts'
import { isBlankValue, jsonOf, numberOf, sizeOf, textOf } from '../values.ts'

export const valueFilters = {
  default: (budget: Budget, value: unknown, other: unknown) => (isBlankValue(value, budget) ? other : value),
  first: (_budget: Budget, value: unknown) => (Array.isArray(value) ? value[0] : undefined),
  last: (_budget: Budget, value: unknown) => (Array.isArray(value) ? value.at(-1) : undefined),
  join: (budget: Budget, value: unknown, separator: unknown = ', ') => {
    const between = textOf(separator, budget)
    if (!Array.isArray(value)) return textOf(value, budget)
    budget.read(value.length * (1 + between.length))
    return value.map((item) => textOf(item, budget)).join(between)
  },
  json: (budget: Budget, value: unknown) => jsonOf(value ?? null, budget, 2),
  size: (budget: Budget, value: unknown) => sizeOf(value, budget) ?? 0,
  slice,
  plus: calculate((number, other) => number + other),
  minus: calculate((number, other) => number - other),
  times: calculate((number, other) => number * other),
  divided_by: calculate((number, other) => number / other),
  round: calculate((number, digits) => Number(number.toFixed(Math.min(Math.max(Math.trunc(digits), 0), 20)))),
}

/** Returns a part of a text or of a list. A negative start counts from the end. */
function slice(budget: Budget, value: unknown, start: unknown, length: unknown = 1): unknown {
  const whole = Array.isArray(value) ? value : textOf(value, budget)
  const [first, count] = [Math.trunc(numberOf(start)) || 0, Math.max(0, Math.trunc(numberOf(length)) || 0)]
  const from = Math.max(0, first < 0 ? whole.length + first : first)
  const part = whole.slice(from, from + count)
  budget.read(part.length)
  return part
}

/** A value that is no number counts as 0. A result that is no number, such as 1 / 0, is no value. */
function calculate(of: (number: number, other: number) => number) {
  return (_budget: Budget, value: unknown, other: unknown) => {
    const result = of(numberOf(value) || 0, numberOf(other) || 0)
    return Number.isFinite(result) ? result : undefined
  }
}
