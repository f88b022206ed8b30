/** Returns whether a word of the name starts with the text. The service searches names by the same rule. */
export function startsWord(name: string, text: string): boolean {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')
  return new RegExp(`(?:^|[\\s\\p{P}\\p{S}])${literal}`, 'iu').test(name)
}
