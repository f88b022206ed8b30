export class PageError extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

export type KeyType = 'timestamptz(3)' | 'text' | 'integer' | 'bigint'
export type KeyValue = Date | string | number | bigint

export function writeCursor(list: string, values: readonly KeyValue[]): string {
  const plain = values.map((value) => (value instanceof Date ? value.toISOString() : String(value)))
  return Buffer.from(JSON.stringify([list, ...plain])).toString('base64url')
}

/** Returns the keys in a cursor, in a form that PostgreSQL accepts. Throws PageError for a cursor of another list. */
export function readCursor(
  field: string,
  cursor: string,
  { name, keys }: { name: string; keys: readonly { type: KeyType }[] },
): string[] {
  const [list, ...values] = parse(cursor)
  const isWhole = values.length === keys.length && keys.every(({ type }, index) => fits(type, values[index]))
  if (list !== name || !isWhole) throw new PageError(field, 'is not a cursor of this list')
  return values as string[]
}

function parse(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function fits(type: KeyType, value: unknown): boolean {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return false
  if (type === 'integer') return /^\d{1,9}$/.test(value)
  if (type === 'bigint') return /^\d{1,18}$/.test(value)
  return type === 'text' || isTime(value)
}

function isTime(value: string): boolean {
  const time = new Date(value)
  return /^[1-9]\d{3}-/.test(value) && !Number.isNaN(time.getTime()) && time.toISOString() === value
}
