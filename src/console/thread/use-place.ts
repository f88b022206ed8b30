import { useCallback, useState, useTransition } from 'react'

/**
 * Where the list of messages opens: around a message, around the first unread message, or at the end. A new `key` loads
 * the list again.
 */
export type Place = { around: string | null; aroundFirstUnread: boolean; isLinked: boolean; key: number }

export function openingPlace(messageID: string | undefined): Place {
  return {
    around: messageID ?? null,
    aroundFirstUnread: messageID === undefined,
    isLinked: messageID !== undefined,
    key: 0,
  }
}

export function usePlace(messageID: string | undefined) {
  const [linkedID, setLinkedID] = useState(messageID)
  const [place, setPlace] = useState(() => openingPlace(messageID))
  const [isMoving, startMoving] = useTransition()
  if (messageID !== linkedID) {
    setLinkedID(messageID)
    setPlace((place) =>
      messageID === undefined
        ? { ...place, isLinked: false }
        : { around: messageID, aroundFirstUnread: false, isLinked: true, key: place.key + 1 },
    )
  }
  const goToEnd = useCallback(() => {
    const end = { around: null, aroundFirstUnread: false, isLinked: false }
    startMoving(() => setPlace(({ key }) => ({ ...end, key: key + 1 })))
  }, [])
  /** Loads the list again at the place where it was opened. */
  const reload = useCallback((firstUnreadID: string | null) => {
    startMoving(() =>
      setPlace(({ around, aroundFirstUnread, isLinked, key }) => ({
        around: aroundFirstUnread ? firstUnreadID : around,
        aroundFirstUnread: false,
        isLinked,
        key: key + 1,
      })),
    )
  }, [])
  return { place, isMoving, goToEnd, reload }
}
