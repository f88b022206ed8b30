// The first match counts, because a browser also names the browsers that it is compatible with.
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
]
const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** Returns a name by which people recognize a browser, such as "Firefox on Windows". */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const nameIn = (known: typeof browsers) => known.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const browser = nameIn(browsers)
  if (browser === undefined) return userAgent
  const system = nameIn(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
