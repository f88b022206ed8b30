import { isIP } from 'node:net'
import { z } from 'zod'
import { type Config, cachedPerConfig } from '../../config.ts'
import { type EventType, eventTypes } from '../../events/event-types.ts'
import { groupID } from '../../groups/general-group-id.ts'
import { text } from '../../input.ts'
import { refuseWebURL } from '../../platform/web-url.ts'
import { AllowedAddresses } from '../requests/allowed-addresses.ts'

export const endpointFields = cachedPerConfig((config) => ({
  url: endpointURL(config),
  types: z
    .array(z.enum(eventTypes))
    .min(1, 'must have at least one type; leave it out for all types')
    .transform((types) => [...new Set(types)])
    .nullish(),
  groupID: groupID.nullish(),
}))

export function concernsThread(type: EventType): boolean {
  return /^(message|reaction|thread|recipients)\./.test(type)
}

// Checks the address if the host is an IP address. The addresses of a host name are checked when a request is sent.
function endpointURL({ eventNetworks }: Config) {
  const addresses = new AllowedAddresses(eventNetworks)
  const isAllowed = (url: URL) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) === 0) return url.protocol === 'https:' || !addresses.isEmpty
    return addresses.allows(host, url)
  }
  return text(2000)
    .superRefine(refuseWebURL)
    .refine((value) => !value.includes('#'), 'must not have a fragment')
    .refine((value) => addresses.allowsPort(new URL(value)), {
      error:
        'must not have a port that servers of other protocols use, such as 25 or 5432. Use another port, or ask the operator of the service to list the address with its port in the setting EVENT_ALLOW_PRIVATE_ADDRESSES',
      abort: true,
    })
    .refine(
      (value) => isAllowed(new URL(value)),
      'must use https and have a public address. The operator of the service can allow other addresses with the setting EVENT_ALLOW_PRIVATE_ADDRESSES',
    )
}
