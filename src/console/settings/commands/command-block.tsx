import { Text } from '@mantine/core'
import { useId } from 'react'
import { ColoredCode, CopyBar } from '../../page/reading/code-block.tsx'
import styles from './command-block.module.css'

type Props = {
  label: string
  command: string
  /** What the button copies. */
  copies?: string
}

/** A command or a text to copy. Its long lines are broken, so that one sees all of it. */
export function CommandBlock({ label, command, copies = 'the command' }: Props) {
  const id = useId()
  return (
    <div>
      <Text size="sm" fw={500} id={id} mb={4}>
        {label}
      </Text>
      <div className={styles.block}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard scrolls a long command. */}
        <section className={styles.command} tabIndex={0} aria-labelledby={id}>
          <pre>
            <ColoredCode text={command} language="code" />
          </pre>
        </section>
        <CopyBar code={command} label={`Copy ${copies}`} describedBy={id} />
      </div>
    </div>
  )
}
