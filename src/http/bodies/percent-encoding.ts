/** Returns whether the percent-encoding of a text is complete and UTF-8 (RFC 3986 2.1). */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
