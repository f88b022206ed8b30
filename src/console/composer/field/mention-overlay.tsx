import { type RefObject, useLayoutEffect, useRef } from 'react'
import { shownMentions } from '../field-text/field-markdown.ts'
import type { FieldText } from '../field-text/field-text.ts'
import styles from './composer-field.module.css'

type Props = { shown: FieldText; field: RefObject<HTMLTextAreaElement | null> }

/** Shows the text of a field with its mentions in color, behind the field. The field is then transparent. */
export function MentionOverlay({ shown, field }: Props) {
  const overlay = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = field
    const follow = () => {
      if (overlay.current && current) overlay.current.scrollTop = current.scrollTop
    }
    follow()
    current?.addEventListener('scroll', follow)
    return () => current?.removeEventListener('scroll', follow)
  })
  const parts = []
  let done = 0
  for (const { start, end } of shownMentions(shown)) {
    parts.push(shown.text.slice(done, start))
    parts.push(
      <span key={start} className={styles.mention} data-mention>
        {shown.text.slice(start, end)}
      </span>,
    )
    done = end
  }
  return (
    <div
      ref={overlay}
      className={`${styles.input} ${styles.overlay}`}
      dir="auto"
      aria-hidden
      tabIndex={-1}
      data-overlay
    >
      {parts}
      {shown.text.slice(done)}
      {/* A field shows an empty line after the last line break. */}
      {'\u200b'}
    </div>
  )
}
