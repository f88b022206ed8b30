import type { Extent, List, Variables } from './extent.ts'
import { checkLimit } from './limits.ts'
import { points } from './points.ts'

const defaultPageSize = 50

type Cost = { nodes: number; values: number; points: number }

/** Returns the cost in whole points. Multiplies the cost of everything inside a list by the page size of the list. */
export function limitCost(
  { fieldsOutsideLists, points: ownPoints, lists, defaults }: Extent,
  variables: Variables | undefined,
): number {
  const cost = costOf(lists, { ...defaults, ...variables })
  const values = fieldsOutsideLists + cost.values
  checkLimit('nodes', cost.nodes, `With its page sizes, the operation requests up to ${cost.nodes} nodes`)
  checkLimit('values', values, `With its page sizes, the operation requests up to ${values} values`)
  const { operation, node, value } = points
  return Math.ceil(operation + ownPoints + cost.points + cost.nodes * node + values * value)
}

function costOf(lists: readonly List[], variables: Variables): Cost {
  const total = { nodes: 0, values: 0, points: 0 }
  for (const { sizes, fieldsOutsideLists, points, lists: inner } of lists) {
    const size = sizeOf(sizes, variables)
    const row = costOf(inner, variables)
    total.nodes += size * (1 + row.nodes)
    total.values += size * (fieldsOutsideLists + row.values)
    total.points += size * (points + row.points)
  }
  return total
}

/** Skips invalid sizes, because the list itself rejects them. */
function sizeOf(sizes: List['sizes'], variables: Variables): number {
  for (const nameOrSize of sizes) {
    const size = typeof nameOrSize === 'string' ? variables[nameOrSize] : nameOrSize
    if (Array.isArray(size)) return size.length
    if (size !== null && Number(size) >= 0) return Number(size)
  }
  return defaultPageSize
}
