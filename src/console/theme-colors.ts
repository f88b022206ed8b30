/** The palettes of Mantine, in the colors of tokens.css. Components take from them what has no variable. */
export const palettes = {
  indigo: [
    '#f2f1fb',
    '#e4e3f7',
    '#cac8ef',
    '#b7b4e4',
    '#8d8ade',
    '#7573d6',
    '#5f5dcb',
    '#504db9',
    '#4340a8',
    '#37348f',
  ],
  gray: [
    '#f6f4ef',
    '#ece9e2',
    '#e6e2d9',
    '#dcd6ca',
    '#cfc9bd',
    '#a8a297',
    '#7f796d',
    '#5a554b',
    '#3a362f',
    '#201d18',
  ],
  dark: [
    '#ebe8e1',
    '#b4afa4',
    '#a8a297',
    '#6b675f',
    '#4b4944',
    '#363430',
    '#2b2a27',
    '#22211f',
    '#1a1917',
    '#131211',
  ],
} as const

const ofTokens = {
  '--mantine-color-body': 'var(--paper-3)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-2)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--accent-ink)',
  '--mantine-color-error': 'var(--failed-ink)',
  '--mantine-color-success': 'var(--resolved-ink)',
  '--mantine-color-default': 'var(--float)',
  '--mantine-color-default-hover': 'color-mix(in srgb, var(--float), var(--ink) 5%)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--press)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
}

/** Sets the variables of Mantine to tokens. Each token has the values of both color schemes. */
export const variables = () => ({ variables: {}, light: ofTokens, dark: ofTokens })
