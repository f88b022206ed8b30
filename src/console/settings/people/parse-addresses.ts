export type Addressee = { email: string; name?: string }

/**
 * One of: a name and an address in angle brackets, an address in angle brackets, or an address. The name has quotation marks,
 * or at most ten words without an @.
 */
const part = /(?:"([^"]*)"\s*|((?:[^\s,;<>"@]+[ \t]+){0,9}[^\s,;<>"@]+)\s*)?<\s*([^<>]*?)\s*>|[^\s,;<>"]+/g

/** Reads email addresses that are separated by commas, semicolons, spaces or new lines. Each address counts once. */
export function parseAddresses(text: string): Addressee[] {
  const found = [...text.matchAll(part)].map(([whole, quoted, words, bracketed]): Addressee => {
    const name = (quoted ?? words ?? '').trim()
    return { email: bracketed ?? whole, ...(name !== '' && { name }) }
  })
  const first = new Map<string, Addressee>()
  for (const addressee of found) {
    const key = addressee.email.toLowerCase()
    if (key !== '' && !first.has(key)) first.set(key, addressee)
  }
  return [...first.values()]
}

export function addressText({ email, name }: Addressee): string {
  return name === undefined ? email : `"${name}" <${email}>`
}
