/**
 * Tells a browser to save a file, and under which name (RFC 6266): in ASCII, without what readers take differently, and
 * where that is not the whole name, in UTF-8 too (RFC 8187).
 */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/gu, '_')
  const extended = plain === name ? '' : `; filename*=UTF-8''${encodeExtended(name)}`
  return `attachment; filename="${plain}"${extended}`
}

/** Beyond what a URL escapes, the four marks that are no attr-char. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
