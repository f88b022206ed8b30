import type { State } from './format.ts'

const named = new Map<string, State>([
  ['good', 'ok'],
  ['danger', 'failed'],
])

/** Returns the state that the colours of the parts of a message mean. One failure makes the whole message failed. */
export function stateOfColors(colors: readonly string[]): State | undefined {
  const states = colors.map(stateOf)
  return states.find((state) => state === 'failed') ?? states.find((state) => state !== undefined)
}

function stateOf(color: string): State | undefined {
  const [, red, green, blue] = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color.trim()) ?? []
  if (!red || !green || !blue) return named.get(color.trim().toLowerCase())
  return stateOfHue(Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16))
}

// Senders use many reds and greens. Yellow, orange, blue and grey mean no state.
function stateOfHue(red: number, green: number, blue: number): State | undefined {
  const most = Math.max(red, green, blue)
  const range = most - Math.min(red, green, blue)
  if (range <= most / 4) return undefined
  const isBetween = (ratio: number, low: number, high: number) => ratio >= low && ratio <= high
  if (red === most && isBetween((green - blue) / range, -1 / 3, 1 / 4)) return 'failed' // 340 to 15 degrees
  if (green === most && isBetween((blue - red) / range, -1 / 2, 3 / 4)) return 'ok' // 90 to 165 degrees
  return undefined
}
