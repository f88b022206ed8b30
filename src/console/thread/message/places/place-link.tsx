import { useEffect, useSyncExternalStore } from 'react'
import { graphql, useFragment, useRelayEnvironment } from 'react-relay/hooks'
import { Link } from 'react-router'
import type { placeLink_node$key } from '../../../../generated/console/placeLink_node.graphql.ts'
import type { Place } from '../../../page/reading/place.ts'
import type { PlaceLinkProps } from '../../../page/reading/text-link.tsx'
import { isolated } from '../../../text/isolated.ts'
import { useThreadTitle } from '../../thread-title.ts'
import { placesOf } from './places.ts'

/**
 * A link to a thread, a message or a group, which opens without a reload. Its address is replaced by the title of what it
 * leads to. A text that the author has written for the link stays, with the title as its tooltip.
 */
export function PlaceLink({ place, isAddress, children }: PlaceLinkProps) {
  const places = placesOf(useRelayEnvironment())
  const node = useSyncExternalStore(places.onChange, () => places.get(place.id))
  useEffect(() => places.request(place.id), [places, place.id])
  const title = useTitle(node, place)
  const isTitled = isAddress && title !== null
  return (
    <Link
      to={place.path}
      dir={isAddress && !isTitled ? 'ltr' : 'auto'}
      title={isAddress ? undefined : (title ?? undefined)}
    >
      {isTitled ? title : children}
    </Link>
  )
}

/** Returns null if the person cannot see what a link leads to, and while it is loading. */
function useTitle(node: placeLink_node$key | null, { threadID }: Place): string | null {
  const shown = useFragment(
    graphql`
      fragment placeLink_node on Node {
        ... on Group @alias(as: "group") { name }
        ... on Thread @alias(as: "thread") { ...threadTitle_thread }
        ... on Message @alias(as: "message") {
          thread { id isPeristentChat recipients(first: 5) { nodes { __typename } } ...threadTitle_thread }
        }
      }
    `,
    node,
  )
  const around = shown?.message?.thread
  const title = useThreadTitle(shown?.thread ?? around)
  if (shown?.group) return isolated(shown.group.name)
  if (shown?.thread) return title
  // The page of a message that is not in the thread of the URL says that it was not found.
  if (!around || around.id !== threadID) return null
  const isDM = around.isPeristentChat && around.recipients?.nodes[0]?.__typename === 'User'
  return isDM ? `Direct message with ${title}` : `Message in ${title}`
}
