/** Returns which of the texts occur in the answers, including their cursors. */
export function leaksOf(answers: unknown[], secrets: string[]): string[] {
  const plain = JSON.stringify(answers)
  const cursors = plain.match(/"[\w-]{20,}"/g) ?? []
  const decoded = cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString())
  const text = [plain, ...decoded].join('\n')
  return secrets.filter((leak) => text.includes(leak))
}
