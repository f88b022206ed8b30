import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** During a transition, a color may have too little contrast. A transition begins in the frame after a change. */
const untilTransitionsEnd = `(async () => {
  for (let frame = 1; frame <= 2; frame += 1) await new Promise(requestAnimationFrame)
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
})()`

/** Returns the rules of axe that the page violates, and whether the page is wider than the window. */
export async function problemsOf(page: Page, name: string): Promise<string[]> {
  await page.evaluate(untilTransitionsEnd)
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${name}: ${id} ${html}`)),
    ...(width > 0 ? [`${name}: too wide by ${width} px`] : []),
  ]
}

/** Returns the rules of axe that the page violates, in light and in dark mode. */
export async function problemsInBothModes(page: Page, name: string): Promise<string[]> {
  const problems: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    problems.push(...(await problemsOf(page, `${name}, ${colorScheme}`)))
  }
  return problems
}
