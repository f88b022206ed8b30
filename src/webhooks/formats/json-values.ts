export type Fields = Readonly<Record<string, unknown>>

/** Returns the fields of a JSON object. Another value has no fields. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a string, a number, a Boolean or the `text` of an object as text. Another value is an empty text. */
export function textOf(value: unknown): string {
  const text = isObject(value) ? value.text : value
  return ['string', 'number', 'boolean'].includes(typeof text) ? String(text) : ''
}

/** Returns a time in seconds since 1970 as text, such as `2026-11-26 10:00 UTC`, or an empty text. */
export function timeOf(seconds: unknown): string {
  const time = new Date(textOf(seconds).trim() ? Number(textOf(seconds)) * 1000 : Number.NaN)
  return Number.isNaN(time.getTime()) ? '' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Replaces NUL characters, because PostgreSQL cannot store them. */
export function withoutNUL(text: string): string {
  return text.replaceAll('\0', '\ufffd')
}
