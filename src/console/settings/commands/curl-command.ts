/** Returns a curl command that prints the response, for a POSIX shell. Each of the options is on its own line. */
export function curlCommand(url: string, options: readonly (readonly [option: string, value: string])[]) {
  const lines = options.map(([option, value]) => `${option} ${quote(value)}`)
  return [`curl -sS -w '\\n' ${quote(url)}`, ...lines].join(' \\\n  ')
}

export function curlJSON(url: string, body: object, headers: readonly string[] = []): string {
  return curlCommand(url, [
    ...['Content-Type: application/json', ...headers].map((header) => ['-H', header] as const),
    ['-d', JSON.stringify(body)],
  ])
}

/** In single quotes, a shell takes everything literally except a single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
