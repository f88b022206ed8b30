import querystring from 'node:querystring'

const removed = '[removed]'

const anywhere =
  /token|secret|password|passwd|passphrase|authorization|signature|credential|cookie|bearer|connection_?string/
const asWords = /(?:^|_)(?:auth|pass|pwd|sig|jwt|hmac|otp|pin|mfa_code|session_?id|session)(?:_|$)/
const keys =
  /(?:^|_)(?:api|access|account|auth|client|encryption|integration|license|private|routing|secret|service|session|shared|signing|ssh)_?keys?(?:_|$)/

/** Returns whether a field of this name probably has a secret: `apiKey`, `X-Hub-Signature`, `auth`. */
export function namesSecret(name: string): boolean {
  const words = name
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
  return anywhere.test(words) || asWords.test(words) || keys.test(words)
}

/** Removes the values that probably are secrets from the body or the query of a request. */
export function redact(text: string, contentType: string): string {
  if (contentType === 'application/json') return redactJSON(text)
  return contentType === 'application/x-www-form-urlencoded' ? redactForm(text) : redactText(text)
}

// A string, a bracket or separator, or everything between them. Also matches the parts of malformed JSON.
const jsonPart = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^"{}[\],:]+/gs

/** Removes secrets from JSON. It may be malformed or cut, because people also want to see what was refused. */
function redactJSON(text: string): string {
  let [kept, name, depth] = ['', '', 0]
  let isSecret = false
  for (const [part] of text.matchAll(jsonPart)) {
    const [isOpening, isBlank] = [part === '{' || part === '[', part.trim() === '']
    if (depth > 0) {
      if (isOpening) depth += 1
      else if (part === '}' || part === ']') depth -= 1
    } else if (isSecret && !isBlank && !/^[:,}\]]$/.test(part)) {
      kept += `"${removed}"`
      depth = isOpening ? 1 : 0
      isSecret = false
    } else {
      if (part === ':') isSecret = namesSecret(name)
      else if (!isBlank) isSecret = false
      if (!isBlank) name = unescaped(part)
      kept += redactText(part)
    }
  }
  return kept
}

/** JSON can write each letter of a name as its number. */
function unescaped(part: string): string {
  return part.replace(/\\u([\da-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Removes secrets from a form or a query. A value that is JSON, such as the `payload` of Slack, is read too. */
function redactForm(text: string): string {
  return text
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=')
      if (at < 0) return pair
      const value = querystring.unescape(pair.slice(at + 1).replaceAll('+', ' '))
      const shown = namesSecret(querystring.unescape(pair.slice(0, at))) ? removed : redactValue(value)
      return shown === value ? pair : `${pair.slice(0, at)}=${querystring.escape(shown)}`
    })
    .join('&')
}

function redactValue(value: string): string {
  return /^\s*[{[]/.test(value) ? redactJSON(value) : redactText(value)
}

/** Removes secrets that have no field: parts of URLs, and bearer tokens. */
function redactText(text: string): string {
  if (!/[/?&#]|\\u0026|bearer/i.test(text)) return text
  return text
    .replace(/(\/webhook\/wbh_\w+\/)[\w-]+/g, `$1${removed}`)
    .replace(/(?<=:\/\/)[^/\s"@:]+:[^/\s"@]+(?=@)/g, removed)
    .replace(/((?:[?&#]|\\u0026)([\w.-]+)=)[^&#\s"'\\<>)]+/g, (whole, start: string, name: string) =>
      name === 'key' || namesSecret(name) ? start + removed : whole,
    )
    .replace(/(\bbearer\s+)[\w.~+/-]{20,}=*/gi, `$1${removed}`)
}
