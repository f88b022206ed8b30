import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

const nearPx = 20
/** The inputs with which a person scrolls. A key counts only if the list has the focus. */
const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown']
/** A scroll counts as an action of the person if it happens within this time after an input. */
const inputMs = 1000
/** A move without an input counts as an action of the person only if the height has not changed for this time. */
const settleMs = 500
/**
 * The pauses before the checks that the end is on screen. When the list reports that it is at its end, the rows may not
 * be rendered yet.
 */
const checksMs = [50, 150, 400]

/**
 * Returns whether the list follows new messages, and whether the person has left its end. Following starts when the end is on screen, and stops when the person
 * scrolls up, or opens a part of a message that was folded. The list also moves up by itself when rows are shorter than it
 * estimated. Therefore, a move without input counts only if it is large, as with "Find in page".
 */
export function useFollow(scroller: HTMLElement | null, isAtFirst: boolean, lastPosition: RefObject<number>) {
  const [isFollowing, setIsFollowing] = useState(isAtFirst)
  const [hasLeft, setHasLeft] = useState(false)
  const isAtBottom = useRef(false)
  const current = useRef(scroller)
  current.current = scroller
  // Before its rows are measured, the list always reports that it is at its end. Therefore, the last row is checked.
  const checkEnd = useCallback(() => {
    for (const pauseMs of checksMs)
      setTimeout(() => {
        if (isAtBottom.current && isShown(current.current, lastPosition.current)) setIsFollowing(true)
      }, pauseMs)
  }, [lastPosition])
  const atBottomStateChange = useCallback(
    (isNow: boolean) => {
      isAtBottom.current = isNow
      if (isNow) checkEnd()
    },
    [checkEnd],
  )
  useEffect(() => {
    if (!scroller) return
    let { scrollTop: lastTop, scrollHeight: lastHeight } = scroller
    let lastInputAt = Number.NEGATIVE_INFINITY
    let lastChangeAt = Number.NEGATIVE_INFINITY
    const leave = () => {
      setIsFollowing(false)
      setHasLeft(true)
    }
    const onInput = () => {
      lastInputAt = performance.now()
    }
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller
      const isUp = scrollTop < lastTop && scrollHeight - clientHeight - scrollTop > nearPx
      const now = performance.now()
      if (scrollHeight !== lastHeight) lastChangeAt = now
      const isFar = lastTop - scrollTop > clientHeight / 2 && now - lastChangeAt > settleMs
      if (isUp && (isFar || now - lastInputAt < inputMs)) leave()
      lastTop = scrollTop
      lastHeight = scrollHeight
    }
    const onUnfold = () => {
      leave()
      checkEnd()
    }
    const listening = new AbortController()
    const options = { passive: true, signal: listening.signal }
    for (const input of inputs) scroller.addEventListener(input, onInput, options)
    scroller.addEventListener('scroll', onScroll, options)
    scroller.addEventListener('unfold', onUnfold, options)
    return () => listening.abort()
  }, [scroller, checkEnd])
  return { isFollowing, hasLeft, atBottomStateChange }
}

function isShown(scroller: HTMLElement | null, position: number): boolean {
  const row = scroller?.querySelector(`[data-position="${position}"]`)
  if (!scroller || !row) return false
  return row.getBoundingClientRect().bottom <= scroller.getBoundingClientRect().bottom + nearPx
}
