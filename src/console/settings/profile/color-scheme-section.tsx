import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { Section } from '../layout/section.tsx'

const schemes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Lets the person choose light or dark colors. This browser stores the choice. */
export function ColorSchemeSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section
      title="Appearance"
      text="The colors of the web app in this browser. “System” follows your device."
    >
      <SegmentedControl
        aria-label="Colors"
        data={schemes}
        value={colorScheme}
        onChange={(value) => setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')}
        style={{ alignSelf: 'flex-start' }}
      />
    </Section>
  )
}
