import { colorCode } from './page/reading/color-code.ts'

// What the documentation does only with a script. Without one, it can be read as well.

const copiedMs = 2000

for (const block of document.querySelectorAll<HTMLElement>('.docs .code')) {
  const code = block.querySelector('code')
  if (code?.firstChild instanceof Text) colorCode(code.firstChild, block.dataset.language)
  // Browsers have no clipboard for pages that came over an insecure connection.
  if (code && navigator.clipboard) enableCopying(block, code)
}
markHeadings(document.querySelectorAll<HTMLAnchorElement>('.docs .headings a'))

function enableCopying(block: HTMLElement, code: HTMLElement): void {
  const button = block.querySelector('button')
  const outcome = block.querySelector('[aria-live]')
  if (!button || !outcome) return
  const show = (text: string) => {
    outcome.textContent = text
    button.ariaLabel = text || 'Copy code'
  }
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code.innerText).then(
      () => show('Copied'),
      () => show('Not copied'),
    )
    setTimeout(show, copiedMs, '')
  })
}

/** Marks the link to the last heading that has reached the upper third of the window. */
function markHeadings(links: NodeListOf<HTMLAnchorElement>): void {
  const headings = [...links].map((link) => ({
    link,
    heading: document.getElementById(decodeURIComponent(link.hash.slice(1))),
  }))
  const mark = () => {
    const passed = headings.filter(
      ({ heading }) => (heading?.getBoundingClientRect().top ?? 0) < innerHeight / 3,
    )
    const current = (passed.at(-1) ?? headings[0])?.link
    for (const { link } of headings) {
      if (link === current) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
  }
  mark()
  addEventListener('scroll', mark, { passive: true })
}
