/** Returns whether an option in the list of a field is highlighted. Enter then chooses it. */
export function hasHighlight(field: HTMLElement): boolean {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
  return list?.querySelector('[data-combobox-selected]') != null
}
