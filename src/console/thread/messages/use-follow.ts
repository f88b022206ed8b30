import { useCallback, useEffect, useState } from 'react'

const nearPx = 20

/**
 * Returns whether the list follows new messages. It does so from when the end is shown until the person scrolls up.
 * While many messages arrive, the end is often below the screen for a moment.
 */
export function useFollow(scroller: HTMLElement | null, isAtFirst: boolean) {
  const [isFollowing, setIsFollowing] = useState(isAtFirst)
  useEffect(() => {
    if (!scroller) return
    let lastTop = scroller.scrollTop
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller
      const isUp = scrollTop < lastTop && scrollHeight - clientHeight - scrollTop > nearPx
      lastTop = scrollTop
      if (isUp) setIsFollowing(false)
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => scroller.removeEventListener('scroll', onScroll)
  }, [scroller])
  const atBottomStateChange = useCallback((isAtBottom: boolean) => {
    if (isAtBottom) setIsFollowing(true)
  }, [])
  return { isFollowing, atBottomStateChange }
}
