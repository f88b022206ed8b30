const units = ['kilobyte', 'megabyte', 'gigabyte']

/** Formats a size, such as "1.4 MB". */
export function fileSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length)
  const format = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: units[power - 1] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  })
  return format.format(bytes / 1000 ** power)
}
