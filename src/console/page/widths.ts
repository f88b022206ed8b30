import { useMediaQuery } from '@mantine/hooks'

/** Returns whether tabs below the page replace the sidebar. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
}

/** Returns whether the window has room for either the list or the conversation, but not for both. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false })
}

/** Returns whether the window has room for a third column beside the conversation. */
export function useIsWide(): boolean {
  return useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
}
