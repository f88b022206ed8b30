/** Returns the name that an email address suggests: "Joan Miller" for joan.miller@example.com. */
export function nameOfAddress(email: string): string {
  const [localPart = ''] = email.trim().split('@')
  const [person = ''] = localPart.split('+')
  return person
    .split(/[._]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/(?:^|-)\p{Ll}/gu, (start) => start.toUpperCase()))
    .join(' ')
}
