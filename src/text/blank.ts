// Unicode has no property for the Braille blank, the Khitan filler and the musical null notehead, which show nothing
// either.
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}])[^\p{Cc}\p{Cf}\p{Z}\s]/u

/** Returns whether a reader of the text sees nothing. */
export function isBlank(text: string): boolean {
  return !visible.test(text)
}
