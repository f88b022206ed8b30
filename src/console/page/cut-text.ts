/** The elements to which this file has given a title. Other titles stay. */
const titled = new WeakSet<HTMLElement>()

/** Shows the whole of a text that is cut with "…" in a tooltip, as long as the text is cut. */
export function showCutText(): void {
  addEventListener('mouseover', ({ target }) => {
    const element = target instanceof Element ? cuttableOf(target) : null
    if (!element || (element.title !== '' && !titled.has(element))) return
    titled.add(element)
    if (isCut(element)) element.title = element.textContent
    else element.removeAttribute('title')
  })
}

/** Returns the element that would cut the text under the pointer. */
function cuttableOf(target: Element): HTMLElement | null {
  for (
    let element: Element | null = target;
    element && element !== document.body;
    element = element.parentElement
  ) {
    const { textOverflow, webkitLineClamp } = getComputedStyle(element)
    const canCut = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
    if (canCut && element instanceof HTMLElement) return element
  }
  return null
}

function isCut({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollWidth > clientWidth || scrollHeight > clientHeight
}
