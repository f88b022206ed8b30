import { useEffect } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import { placeOf } from '../../../page/reading/place.ts'
import { findAddresses } from '../../../text/addresses.ts'
import { placesOf } from './places.ts'

/** Loads what the links of messages lead to, in one request, before the rows of the messages are rendered. */
export function usePlaces(messages: readonly { text: string }[]): void {
  const { workspaceID = '' } = useParams()
  const places = placesOf(useRelayEnvironment())
  useEffect(() => {
    const page = { origin: location.origin, workspaceID }
    for (const { text } of messages) {
      if (!text.includes(page.origin)) continue
      for (const { href } of findAddresses(text)) {
        const place = placeOf(href, page)
        if (place) places.request(place.id)
      }
    }
  }, [messages, places, workspaceID])
}
