import type { Budget } from '../budget.ts'
import { numberOf, searchTextOf, textOf } from '../values.ts'

export const textFilters = {
  append: (budget: Budget, value: unknown, end: unknown) => textOf(value, budget) + textOf(end, budget),
  prepend: (budget: Budget, value: unknown, start: unknown) => textOf(start, budget) + textOf(value, budget),
  capitalize: (budget: Budget, value: unknown) => {
    const [first = '', ...rest] = textOf(value, budget)
    return first.toUpperCase() + rest.join('')
  },
  downcase: (budget: Budget, value: unknown) => textOf(value, budget).toLowerCase(),
  upcase: (budget: Budget, value: unknown) => textOf(value, budget).toUpperCase(),
  strip: (budget: Budget, value: unknown) => textOf(value, budget).trim(),
  replace,
  split: (budget: Budget, value: unknown, separator: unknown) => {
    const text = textOf(value, budget)
    return text === '' ? [] : text.split(searchTextOf(separator, budget))
  },
  truncate,
}

function replace(budget: Budget, value: unknown, search: unknown, replacement: unknown): string {
  const [text, part, other] = [
    textOf(value, budget),
    searchTextOf(search, budget),
    textOf(replacement, budget),
  ]
  if (part === '') return text
  const pieces = text.split(part)
  budget.read((pieces.length - 1) * other.length)
  return pieces.join(other)
}

/** Cuts a text to a number of characters, the last of which are then the end. */
function truncate(budget: Budget, value: unknown, length: unknown, end: unknown = '…'): string {
  const [text, last] = [textOf(value, budget), textOf(end, budget)]
  const max = Math.max(0, Math.trunc(numberOf(length)) || 0) || 50
  if (text.length <= max) return text
  const characters = [...text]
  if (characters.length <= max) return text
  return characters.slice(0, Math.max(0, max - [...last].length)).join('') + last
}
