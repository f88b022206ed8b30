import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import { useParams } from 'react-router'
import { findAddresses } from '../../text/addresses.ts'
import { type Place, placeOf } from './place.ts'

export type PlaceLinkProps = {
  place: Place
  /** Whether the text of the link is an address. Otherwise, it is what the author has written. */
  isAddress: boolean
  children: ReactNode
}

/** Links to a thread, a message or a group. The folder of threads provides it, because it imports this folder. */
export const PlaceLinkContext = createContext<ComponentType<PlaceLinkProps> | null>(null)

/** A link in a text. It opens what is in this workspace on this page, and everything else in a new tab. */
export function TextLink({ href, children }: { href: string; children?: ReactNode }) {
  const { workspaceID = '' } = useParams()
  const PlaceLink = useContext(PlaceLinkContext)
  const place = placeOf(href, { origin: location.origin, workspaceID })
  const isAddress = typeof children === 'string' && isWholeAddress(children)
  if (place && PlaceLink)
    return (
      <PlaceLink place={place} isAddress={isAddress}>
        {children}
      </PlaceLink>
    )
  return (
    <a
      href={href}
      rel="noopener noreferrer nofollow"
      target={/^https?:/.test(href) ? '_blank' : undefined}
      dir={isAddress ? 'ltr' : undefined}
    >
      {children}
    </a>
  )
}

function isWholeAddress(text: string): boolean {
  const [address] = findAddresses(text)
  return address?.start === 0 && address.end === text.length
}
