import type { Extent, List, Variables } from './extent.ts'
import { keepWithin } from './limits.ts'
import { points } from './points.ts'

const defaultPageSize = 50

type Cost = { nodes: number; values: number; points: number }

/**
 * Refuses an operation that could answer too much, before anything runs: it may ask for as many nodes as its lists
 * could hold together, which is the page size of a list, times that of the lists within; and for as many values as
 * there would be fields in these. Returns what it costs, in whole points. Throws `limit_exceeded`.
 */
export function limitCost(
  { own, points: ownPoints, lists, defaults }: Extent,
  variables: Variables | undefined,
): number {
  const cost = costOf(lists, { ...defaults, ...variables })
  const values = own + cost.values
  keepWithin('nodes', cost.nodes, `The operation asks for up to ${cost.nodes} nodes, by its page sizes`)
  keepWithin('values', values, `The operation asks for up to ${values} values, by its page sizes`)
  const { operation, node, value } = points
  return Math.ceil(operation + ownPoints + cost.points + cost.nodes * node + values * value)
}

function costOf(lists: readonly List[], variables: Variables): Cost {
  const total = { nodes: 0, values: 0, points: 0 }
  for (const { sizes, own, points, within } of lists) {
    const size = sizeOf(sizes, variables)
    const row = costOf(within, variables)
    total.nodes += size * (1 + row.nodes)
    total.values += size * (own + row.values)
    total.points += size * (points + row.points)
  }
  return total
}

/** A size that is none is for the list to refuse. */
function sizeOf(sizes: List['sizes'], variables: Variables): number {
  for (const given of sizes) {
    const size = typeof given === 'string' ? variables[given] : given
    if (Array.isArray(size)) return size.length
    if (size !== null && Number(size) >= 0) return Number(size)
  }
  return defaultPageSize
}
