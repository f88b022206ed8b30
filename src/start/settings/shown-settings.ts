const secret = /(?:TOKEN|SECRET|KEY|KEY_ID|KEY_PREVIOUS)$/

/** Returns the settings that were set, for the log. A secret is "(set)". A URL has no user, password, query or fragment. */
export function shownSettings(
  env: Record<string, string | undefined>,
  names: readonly string[],
): Record<string, string> {
  const shown = names.flatMap((name): [string, string][] => {
    const value = env[name]
    if (value === undefined || value === '') return []
    return [[name, secret.test(name) ? '(set)' : withoutCredentials(value)]]
  })
  return Object.fromEntries(shown)
}

function withoutCredentials(value: string): string {
  const [scheme = '', rest] = value.split('://')
  if (rest === undefined) return value
  const [place = ''] = rest.slice(rest.lastIndexOf('@') + 1).split(/[?#]/)
  return `${scheme}://${place}`
}
