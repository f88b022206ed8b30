import type { Settings } from '../../config.ts'
import { built } from '../../generated/version.ts'
import { type Finding, failure, ok, reasonOf, warning } from './check.ts'

type Version = { name?: string; version?: string; commit?: string | null; address?: string }

const timeoutMs = 5000
/** An address for documentation (RFC 5737), which no client has. */
const forgedAddress = '192.0.2.1'

/** Asks the service at BASE_URL, as clients do. */
export async function checkBaseURL({ baseURL, localURL }: Settings): Promise<Finding> {
  const advice =
    'Start the service, set BASE_URL to the address that people use, and check the proxy, the name and the certificate.'
  try {
    const found = await versionAt(baseURL)
    if (found.name !== built.name) return failure(`Another program answers at ${baseURL}.`, advice)
    if (found.version !== built.version || found.commit !== built.commit)
      return warning(
        `The service at ${baseURL} runs version ${found.version} (${found.commit}), but this command belongs to ${built.version} (${built.commit}).`,
        'Start all processes again after an upgrade.',
      )
    const { protocol, hostname } = new URL(baseURL)
    if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
      return warning(
        `${baseURL} is not encrypted.`,
        'Put a proxy with TLS in front, and set BASE_URL to its https address.',
      )
    return ok(`The service answers at ${baseURL}.`)
  } catch (error) {
    const isLocal = await versionAt(localURL).then(
      ({ name }) => name === built.name && localURL !== baseURL,
      () => false,
    )
    const but = isLocal ? `, although it answers at ${localURL}` : ''
    return failure(`The service does not answer at ${baseURL}${but}: ${reasonOf(error)}.`, advice)
  }
}

/** Sends a forged X-Forwarded-For, and looks which address the service believes. */
export async function checkProxy({ baseURL, port, trustProxy }: Settings): Promise<Finding> {
  let address: string | undefined
  try {
    address = (await versionAt(baseURL, { 'x-forwarded-for': forgedAddress })).address
  } catch {
    return warning(`The proxy cannot be checked, because nothing answers at ${baseURL}.`, 'See BASE_URL.')
  }
  if (address === forgedAddress)
    return failure(
      'Clients can choose the address that the service sees, because X-Forwarded-For is believed as they send it.',
      'Let the proxy replace X-Forwarded-For, and set TRUST_PROXY to the address of the proxy only.',
    )
  const isLocal = address !== undefined && /^(?:127\.|::1$|::ffff:127\.)/.test(address)
  // Something else listens at the port of BASE_URL.
  const isProxied = new URL(baseURL).port !== String(port)
  if (trustProxy === false && isLocal && isProxied)
    return failure(
      'All clients have the address of the proxy. Therefore they share the limits for an address.',
      'Set TRUST_PROXY to the address of the proxy, such as 127.0.0.1.',
    )
  return ok(`The service sees this command at ${address}.`)
}

async function versionAt(url: string, headers: Record<string, string> = {}): Promise<Version> {
  const answer = await fetch(`${url}/health/version`, { headers, signal: AbortSignal.timeout(timeoutMs) })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return (await answer.json()) as Version
}
