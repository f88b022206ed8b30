import { createTheme, localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'

declare global {
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
// The scroll lock of dialogs reads the nonce from this variable.
globalThis.__webpack_nonce__ = nonce

/** Renders menus and dialogs in the main landmark. Otherwise, users of screen readers could not find them. */
const inMain = { target: 'main' }
/** Makes dialogs cover the whole page, although the main landmark begins beside the navigation. */
const overPage = { defaultProps: { portalProps: inMain }, styles: { inner: { insetInlineStart: 0 } } }

const theme = createTheme({
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, sans-serif',
  cursorType: 'pointer',
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    // A field takes its direction from what is written in it.
    InputBase: { defaultProps: { attributes: { input: { dir: 'auto' } } } },
    PillsInputField: { defaultProps: { dir: 'auto' } },
    Combobox: { defaultProps: { portalProps: inMain } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: inMain } },
    Modal: overPage,
    ModalRoot: overPage,
    Drawer: overPage,
  },
})

/** Replaces colors whose contrast is below WCAG AA. */
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

/** Before this runs, color-scheme.js has set the color scheme of the first paint from the same localStorage key. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'skein-color-scheme' })

/** Uses the color scheme of the person or of the system. The nonce allows the styles that Mantine creates. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={variables}
      getStyleNonce={() => nonce ?? ''}
    >
      {children}
    </MantineProvider>
  )
}
