import type { Budget } from './budget.ts'
import { TemplateProblem } from './template-problem.ts'

const maxDepth = 10
const maxValues = 2000
/** V8 searches for a text of up to 250 characters in time in proportion to the text, but not for a longer one. */
const maxSearchCharacters = 100
const maxNumberCharacters = 100
/** Listing or comparing an item takes as long as reading this many characters. */
export const charactersPerItem = 10

/** Returns a value as text. A list and an object become JSON. */
export function textOf(value: unknown, budget: Budget): string {
  if (typeof value === 'object' && value !== null) return jsonOf(value, budget)
  const text = value == null ? '' : String(value)
  budget.read(text.length)
  return text
}

/** Returns a value as JSON. An ellipsis stands for what is nested deeply, and for all after the first values. */
export function jsonOf(value: unknown, budget: Budget, indent = 0): string {
  const json = JSON.stringify(excerptOf(value, maxDepth, { budget, values: maxValues }), null, indent) ?? ''
  budget.read(json.length)
  return json
}

type Room = { budget: Budget; values: number }

function excerptOf(value: unknown, depth: number, room: Room): unknown {
  room.values -= 1
  if (typeof value === 'string') room.budget.read(value.length)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0 || room.values <= 0) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, room.values).map((item) => excerptOf(item, depth - 1, room))
    return items.length < value.length ? [...items, '…'] : items
  }
  const names = namesOf(value, room.budget)
  const entries = names
    .slice(0, room.values)
    .map((name) => [name, excerptOf(ownValue(value, name), depth - 1, room)])
  return Object.fromEntries(entries.length < names.length ? [...entries, ['…', '…']] : entries)
}

/** Returns the names of the fields of an object. */
export function namesOf(value: object, budget: Budget): string[] {
  const names = Object.keys(value)
  budget.read(charactersPerItem * names.length)
  return names
}

/** Returns a field of an object itself. What it inherits is no field. */
export function ownValue(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** Returns how many characters, items or fields a value has. */
export function sizeOf(value: unknown, budget: Budget): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? namesOf(value, budget).length : undefined
}

/** Returns whether a value is null, false, a text without visible characters, or an empty list or object. */
export function isBlankValue(value: unknown, budget: Budget): boolean {
  if (typeof value !== 'string') return value == null || value === false || sizeOf(value, budget) === 0
  budget.read(value.length)
  return value.trim() === ''
}

/** Returns a number, or the number that a text is. Otherwise returns NaN. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  const isShort = typeof value === 'string' && value.length <= maxNumberCharacters
  return isShort && value.trim() !== '' ? Number(value) : Number.NaN
}

/** Returns a text to search for. */
export function searchTextOf(value: unknown, budget: Budget): string {
  const text = textOf(value, budget)
  if (text.length > maxSearchCharacters)
    throw new TemplateProblem(`a text to search for has more than ${maxSearchCharacters} characters`)
  return text
}
