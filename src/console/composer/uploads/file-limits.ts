import { limits } from '../../session/limits.ts'
import { fileSize } from '../../text/file-size.ts'

const mostNamed = 3

export function sizeProblem({ size }: File): string | null {
  return size > limits.fileBytes ? `A file can be at most ${fileSize(limits.fileBytes)}.` : null
}

export function countProblem(count: number): string | null {
  const surplus = count - limits.attachments
  return surplus > 0 ? `${rule()} Remove ${surplus} of them.` : null
}

/** Returns a text that names the files that exceed the limit and were not attached, or null if there are none. */
export function surplusProblem(surplus: readonly File[]): string | null {
  if (surplus.length === 0) return null
  const names = surplus.slice(0, mostNamed).map(({ name }) => `“${name}”`)
  if (surplus.length > mostNamed) names.push(`${surplus.length - mostNamed} more`)
  return `${rule()} Not attached: ${names.join(', ')}.`
}

function rule(): string {
  return `A message can have at most ${limits.attachments} files.`
}
