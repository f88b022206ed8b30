import { createTheme, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'

declare global {
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector('script')?.nonce
// The scroll lock of modals reads the nonce there.
globalThis.__webpack_nonce__ = nonce

const theme = createTheme({
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, sans-serif',
  cursorType: 'pointer',
  components: { Anchor: { defaultProps: { underline: 'always' } } },
})

/** Raises colors whose contrast is below WCAG AA. */
const variables = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#9aa1a8',
    '--mantine-color-error': '#ff8787',
  },
})

/** Follows the color scheme of the system. The nonce allows the styles that Mantine creates in the page. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={variables}
      getStyleNonce={() => nonce ?? ''}
    >
      {children}
    </MantineProvider>
  )
}
