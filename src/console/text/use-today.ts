import { useSyncExternalStore } from 'react'

/** Returns the current day. It changes at midnight. After a sleep of the computer, it changes when the page is visible. */
export function useToday(): string {
  return useSyncExternalStore(onNewDay, () => new Date().toDateString())
}

function onNewDay(check: () => void): () => void {
  let timer: number
  const wait = () => {
    timer = window.setTimeout(() => {
      check()
      wait()
    }, msUntilMidnight())
  }
  wait()
  document.addEventListener('visibilitychange', check)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', check)
  }
}

function msUntilMidnight(): number {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime()
}
