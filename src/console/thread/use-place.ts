import { startTransition, useCallback, useState } from 'react'

/** Where the list of messages opens: around a message or at the end. A new `key` loads the list again. */
type Place = { around: string | null; isLinked: boolean; key: number }

export function usePlace(messageID: string | undefined, firstUnreadID: string | null) {
  const [linkedID, setLinkedID] = useState(messageID)
  const [place, setPlace] = useState<Place>({
    around: messageID ?? firstUnreadID,
    isLinked: messageID !== undefined,
    key: 0,
  })
  if (messageID !== linkedID) {
    setLinkedID(messageID)
    setPlace(({ around, key }) =>
      messageID === undefined
        ? { around, isLinked: false, key }
        : { around: messageID, isLinked: true, key: key + 1 },
    )
  }
  const goToEnd = useCallback(
    () => startTransition(() => setPlace(({ key }) => ({ around: null, isLinked: false, key: key + 1 }))),
    [],
  )
  const reload = useCallback(
    () => startTransition(() => setPlace((place) => ({ ...place, key: place.key + 1 }))),
    [],
  )
  return { place, goToEnd, reload }
}
