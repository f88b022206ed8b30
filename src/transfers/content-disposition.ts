/** Makes a browser save a file under this name (RFC 6266). Adds the name in UTF-8 if it is not ASCII (RFC 8187). */
export function contentDisposition(name: string): string {
  // Clients interpret the characters " \ % and ; differently.
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/gu, '_')
  const extended = plain === name ? '' : `; filename*=UTF-8''${encodeExtended(name)}`
  return `attachment; filename="${plain}"${extended}`
}

// Also escapes the four characters that a URL allows but RFC 8187 does not.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
