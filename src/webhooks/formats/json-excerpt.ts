import { isObject } from './json-values.ts'
import { shorten } from './shorten.ts'

const maxDepth = 10
const maxValues = 2000
const maxCharacters = 1000

/** Returns the first values of a JSON value for people to read. An ellipsis stands for what is left out. */
export function jsonExcerpt(value: unknown): unknown {
  return excerptOf(value, maxDepth, { values: maxValues })
}

function excerptOf(value: unknown, depth: number, room: { values: number }): unknown {
  room.values -= 1
  if (typeof value === 'string') return shorten(value, maxCharacters)
  if (Array.isArray(value)) return depth > 0 ? itemsOf(value, depth, room) : '…'
  if (!isObject(value)) return value
  if (depth === 0) return '…'
  const names = Object.keys(value)
  return Object.fromEntries(
    itemsOf(Object.values(value), depth, room).map((item, index) => [names[index], item]),
  )
}

function itemsOf(values: readonly unknown[], depth: number, room: { values: number }): unknown[] {
  const items: unknown[] = []
  for (const value of values) {
    if (room.values <= 0) return [...items, '…']
    items.push(excerptOf(value, depth - 1, room))
  }
  return items
}
