import { useMemo } from 'react'
import { FoldedText } from './fold.tsx'
import { htmlNodes } from './html-nodes.tsx'
import styles from './rendered-text.module.css'

type Props = {
  html: string
  /** The ID of the message. Without an ID, the text is shown whole. */
  id?: string
  /** Whether the person comes for this message, so that nothing in it is folded. */
  isOpened?: boolean
}

/** The rendered text of a message. */
export function RenderedText({ html, id, isOpened = false }: Props) {
  const nodes = useMemo(() => htmlNodes(html), [html])
  if (id === undefined) return <div className={styles.text}>{nodes}</div>
  return (
    <FoldedText id={id} isOpened={isOpened} html={html} className={styles.text}>
      {nodes}
    </FoldedText>
  )
}
