import { randomNumbers } from '../support/random-numbers.ts'

// Texts with realistic word frequencies, after Zipf and Mandelbrot: few words are common and most are rare.

/** The most frequent words, in order. More than half of all messages contain the first. */
export const commonWords =
  `the to and a of in is that it for you on we with this be have are not at as was but can if
or will from an they by so what all there when up out do about one no has more just get like would me my your our new
time now then them some how who which their been any were had its other should could than into only make see need also
work very after use over even back good think know here why first still before right way both where today done please
thanks again team test build release server error fix issue page code data user file change next week look same last
want between each under while since off down most those these because through below well start run call check added`
    .trim()
    .split(/\s+/)

const syllables =
  'ka ro mi ten sol ver da lu pri on ex tra ble ing com str an de fo qua ne sti pol gra hu'.split(' ')
const vocabularySize = 30_000
const wordsEach = 10
export const sentences = 20_000

/** Returns sentences of ten words, the same ones every time. */
export function makeSentences(): string[] {
  const random = randomNumbers(20261124)
  const words = vocabulary()
  const sums: number[] = []
  for (const rank of words.keys()) sums.push((sums.at(-1) ?? 0) + 1 / (rank + 3.7))
  const total = sums.at(-1) ?? 0
  const pickWord = () => words[firstAbove(sums, random() * total)]
  return Array.from({ length: sentences }, () => Array.from({ length: wordsEach }, pickWord).join(' '))
}

function vocabulary(): string[] {
  const words = new Set(commonWords)
  for (let number = syllables.length; words.size < vocabularySize; number++) words.add(madeUp(number))
  return [...words]
}

/** Writes a number with syllables as digits. */
function madeUp(number: number): string {
  const rest = Math.floor(number / syllables.length)
  return `${rest > 0 ? madeUp(rest) : ''}${syllables[number % syllables.length]}`
}

function firstAbove(sums: number[], value: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
