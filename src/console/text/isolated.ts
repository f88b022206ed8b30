const controls = /[\u202a-\u202e\u2066-\u2069]/g
/** Characters of Hebrew, Arabic and other scripts that are written from right to left, and characters that set a direction. */
const reordering =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const [firstStrongIsolate, popIsolate] = ['\u2068', '\u2069']

/**
 * Returns a text that does not change the order of the text around it, as `<bdi>` does for an element. Use it for names
 * and subjects that are part of a sentence. It removes characters that set a direction.
 */
export function isolated(text: string): string {
  if (!reordering.test(text)) return text
  return `${firstStrongIsolate}${text.replace(controls, '')}${popIsolate}`
}
