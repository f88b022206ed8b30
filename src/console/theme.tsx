import { ActionIcon, Badge, Button, createTheme, Input, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { colorSchemeCookie } from './session/color-scheme.ts'
import { palettes, variables } from './theme-colors.ts'

declare global {
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
// The scroll lock of dialogs reads the nonce from this variable.
globalThis.__webpack_nonce__ = nonce

/** Renders menus and dialogs in the main landmark. Otherwise, users of screen readers could not find them. */
const inMain = { target: 'main' }

/** On a touch screen, a tap beside a menu closes it, and does not also open what is there. */
const tapsOutside = {
  withOverlay: true,
  overlayProps: { backgroundOpacity: 0 },
  clickOutsideEvents: ['click'],
}

/**
 * Makes dialogs cover the whole page, although the main landmark begins beside the navigation. They slide in by the
 * style sheet, because Mantine does not move what is open from the beginning.
 */
const overPage = {
  defaultProps: { portalProps: inMain, transitionProps: { duration: 0 } },
  styles: { inner: { insetInlineStart: 0 } },
}
/** A button of a row or a message is smaller than one of a form. */
const buttonSizes: Record<string, Record<string, string>> = {
  xs: {
    '--button-height': 'var(--control-small)',
    '--button-padding-x': 'var(--control-small-inset)',
    '--button-fz': 'var(--text-sm)',
  },
  sm: { '--button-height': 'var(--control)', '--button-padding-x': 'var(--s-3)' },
}

const theme = createTheme({
  colors: palettes,
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 6 },
  white: '#fffefc',
  black: '#201d18',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontWeights: { medium: '500', bold: '600' },
  fontSizes: {
    xs: 'var(--text-xs)',
    sm: 'var(--text-sm)',
    md: 'var(--text-md)',
    lg: 'var(--text-lg)',
    xl: 'var(--text-xl)',
  },
  lineHeights: { xs: '1rem', sm: '1.125rem', md: '1.25rem', lg: '1.375rem', xl: '1.5rem' },
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--text-2xl)', lineHeight: '1.875rem' },
      h2: { fontSize: 'var(--text-xl)', lineHeight: '1.5rem' },
      h3: { fontSize: 'var(--text-md)', lineHeight: '1.25rem' },
    },
  },
  spacing: { xs: 'var(--s-1)', sm: 'var(--s-2)', md: 'var(--s-3)', lg: 'var(--s-5)', xl: 'var(--s-8)' },
  radius: { xs: 'var(--r-1)', sm: 'var(--r-2)', md: 'var(--r-3)', lg: 'var(--r-4)', xl: '999px' },
  defaultRadius: 'md',
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--shadow-1)',
    lg: 'var(--shadow-2)',
    xl: 'var(--shadow-2)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    Badge: Badge.extend({
      defaultProps: { variant: 'default', size: 'sm', tt: 'none', fw: 400, radius: 'xs', flex: 'none' },
      vars: (_theme, { variant }) => ({
        root: {
          '--badge-height': '1rem',
          '--badge-fz': 'var(--text-2xs)',
          '--badge-padding-x': '5px',
          ...(variant === 'default' && {
            '--badge-bg': 'var(--hover)',
            '--badge-color': 'var(--ink-2)',
            '--badge-bd': 'none',
          }),
        },
      }),
    }),
    Button: Button.extend({
      defaultProps: { radius: 'sm' },
      vars: (_theme, { size = 'sm' }) => ({ root: buttonSizes[size] ?? {} }),
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { radius: 'sm', variant: 'subtle', color: 'gray' },
      vars: (_theme, { variant }) => ({
        root:
          variant === 'subtle'
            ? { '--ai-color': 'var(--ink-2)', '--ai-hover': 'var(--hover)', '--ai-hover-color': 'var(--ink)' }
            : {},
      }),
    }),
    Input: Input.extend({ vars: () => ({ wrapper: { '--input-fz': 'var(--text-md)' } }) }),
    // A field takes its direction from what is written in it.
    InputBase: { defaultProps: { attributes: { input: { dir: 'auto' } } } },
    PillsInputField: { defaultProps: { dir: 'auto' } },
    Combobox: { defaultProps: { portalProps: inMain, shadow: 'lg' } },
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        portalProps: inMain,
        shadow: 'lg',
        ...(matchMedia('(hover: none)').matches && tapsOutside),
      },
    },
    Modal: {
      ...overPage,
      defaultProps: {
        ...overPage.defaultProps,
        radius: 'lg',
        shadow: 'lg',
      },
    },
    ModalRoot: overPage,
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 120 } } },
  },
})

/** Uses the color scheme of the person or of the system. The nonce allows the styles that Mantine creates. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeCookie}
      cssVariablesResolver={variables}
      getStyleNonce={() => nonce ?? ''}
    >
      {children}
    </MantineProvider>
  )
}
