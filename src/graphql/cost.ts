import type { Extent, List, Variables } from './extent.ts'
import { keepWithin } from './limits.ts'

const defaultPageSize = 50

/**
 * Refuses an operation that could answer too much, before anything runs: it may ask for as many nodes as its lists
 * could hold together, which is the page size of a list, times that of the lists within; and for as many values as
 * there would be fields in these. Throws `limit_exceeded`.
 */
export function limitCost({ own, lists, defaults }: Extent, variables: Variables | undefined): void {
  if (lists.length === 0) return
  const cost = costOf(lists, { ...defaults, ...variables })
  const values = own + cost.values
  keepWithin('nodes', cost.nodes, `The operation asks for up to ${cost.nodes} nodes, by its page sizes`)
  keepWithin('values', values, `The operation asks for up to ${values} values, by its page sizes`)
}

function costOf(lists: readonly List[], variables: Variables): { nodes: number; values: number } {
  let [nodes, values] = [0, 0]
  for (const { sizes, own, within } of lists) {
    const size = sizeOf(sizes, variables)
    const row = costOf(within, variables)
    nodes += size * (1 + row.nodes)
    values += size * (own + row.values)
  }
  return { nodes, values }
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
