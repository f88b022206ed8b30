/** Returns a time as people read it, to the minute in UTC. */
export function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
