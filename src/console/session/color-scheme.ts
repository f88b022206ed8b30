import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

const schemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto']
const oneYearSeconds = 365 * 24 * 60 * 60
const otherTabs = new BroadcastChannel('skein-color-scheme')

function chosenScheme(): MantineColorScheme | undefined {
  const cookies = document.cookie.split('; ')
  return schemes.find((scheme) => cookies.includes(`color-scheme=${scheme}`))
}

/**
 * Stores the chosen colors in a cookie. The service puts the choice into the HTML of its pages. A sign-out removes what
 * the browser has stored, but not the cookie.
 */
export const colorSchemeCookie: MantineColorSchemeManager = {
  get: (initial) => chosenScheme() ?? initial,
  set: (scheme) => {
    // Another tab has made this choice.
    if (scheme === chosenScheme()) return
    // biome-ignore lint/suspicious/noDocumentCookie: Some of the supported browsers have no Cookie Store API.
    document.cookie = `color-scheme=${scheme}; path=/; max-age=${oneYearSeconds}; samesite=lax`
    otherTabs.postMessage(scheme)
  },
  subscribe: (onUpdate) => {
    otherTabs.onmessage = ({ data }) => onUpdate(data)
  },
  unsubscribe: () => {
    otherTabs.onmessage = null
  },
  clear: () => colorSchemeCookie.set('auto'),
}
