import type { Run } from './pieces.ts'

/** Returns whether a run can open or close emphasis: left- and right-flanking (CommonMark 6.2). */
export function flanks(source: string, start: number, end: number): { opens: boolean; closes: boolean } {
  const before = [...source.slice(Math.max(0, start - 2), start)].at(-1) ?? ' '
  const after = [...source.slice(end, end + 2)][0] ?? ' '
  const isLeft = isFlanking(after, before)
  const isRight = isFlanking(before, after)
  if (source[start] !== '_') return { opens: isLeft, closes: isRight }
  return {
    opens: isLeft && (!isRight || isPunctuation(before)),
    closes: isRight && (!isLeft || isPunctuation(after)),
  }
}

function isFlanking(inner: string, outer: string): boolean {
  return !isSpace(inner) && (!isPunctuation(inner) || isSpace(outer) || isPunctuation(outer))
}

function isSpace(character: string): boolean {
  return /\s/.test(character)
}

function isPunctuation(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character)
}

/** Pairs runs, including runs of strikethrough, like "process emphasis" in the appendix of CommonMark. */
export function pairRuns(runs: Run[]): void {
  const openers: Run[] = []
  const triedTo = new Map<string, number>()
  for (const run of runs) {
    if (run.closes) closeRun(run, openers, triedTo)
    if (run.opens && run.remaining > 0) openers.push(run)
  }
}

// `triedTo` is the position up to which no opener matches this kind of run. Trying again would take quadratic time.
function closeRun(run: Run, openers: Run[], triedTo: Map<string, number>): void {
  const kind = `${run.mark}${run.opens}${run.length % 3}`
  const tried = triedTo.get(kind) ?? -1
  while (run.remaining > 0) {
    const index = openers.findLastIndex((opener) => opener.at <= tried || isPair(opener, run))
    const opener = openers[index]
    if (!opener || opener.at <= tried) {
      triedTo.set(kind, openers.at(-1)?.at ?? -1)
      return
    }
    openers.length = index + 1
    addTags(opener, run)
    if (opener.remaining === 0) openers.pop()
  }
}

// Applies rules 9 and 10 of CommonMark 6.2 to runs that can both open and close.
function isPair(opener: Run, closer: Run): boolean {
  if (opener.mark !== closer.mark) return false
  const isEither = opener.closes || closer.opens
  return !isEither || (opener.length + closer.length) % 3 !== 0 || opener.length % 3 === 0
}

function addTags(opener: Run, closer: Run): void {
  const size = Math.min(opener.remaining, closer.remaining, 2)
  const name = opener.mark === '~' ? 'del' : size === 2 ? 'strong' : 'em'
  const source = opener.mark.repeat(size)
  opener.remaining -= size
  closer.remaining -= size
  opener.opening.push({ kind: 'open', html: `<${name}>`, source })
  closer.closing.push({ kind: 'close', html: `</${name}>`, source })
}
