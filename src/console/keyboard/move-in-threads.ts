/** Moves the focus to the next or previous row of the list of threads. If no row has the focus, starts at the open thread. */
export function moveInThreads(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-thread-row]')]
  const focused = rows.indexOf(document.activeElement as HTMLElement)
  const current = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent === 'page')
  const next = current < 0 ? rows[0] : rows[current + step]
  next?.focus()
}
