import { useSyncExternalStore } from 'react'

/** A value that stays until the page is closed or reloaded, even while no component shows it. */
export type PageValue<T> = {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/** Returns a function that returns the value of a key. The first call for a key creates the value. */
export function pageValues<T>(create: (key: string) => T): (key: string) => PageValue<T> {
  const values = new Map<string, PageValue<T>>()
  return (key) => {
    const value = values.get(key) ?? pageValue(create(key))
    values.set(key, value)
    return value
  }
}

export function usePageValue<T>({ subscribe, get }: PageValue<T>): T {
  return useSyncExternalStore(subscribe, get)
}

function pageValue<T>(first: T): PageValue<T> {
  let current = first
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (value) => {
      current = value
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
