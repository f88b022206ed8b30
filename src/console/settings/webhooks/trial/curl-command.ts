/** Returns a command for a POSIX shell that sends a message to a webhook. */
export function curlCommand(url: string, message: { target: string; text: string }): string {
  const lines = [
    `curl -sS -w '\\n' ${quote(url)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${quote(JSON.stringify(message))}`,
  ]
  return lines.join(' \\\n  ')
}

/** In single quotes, a shell takes everything literally except a single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
