/**
 * Returns whether `new URL` accepts a text. In Node 20, `URL.canParse` refuses letters such as ü once V8 has optimized its
 * caller (seen in 20.20.2).
 */
export function canParseURL(text: string): boolean {
  try {
    new URL(text)
    return true
  } catch {
    return false
  }
}
