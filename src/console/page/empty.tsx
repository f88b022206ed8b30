import type { ReactNode } from 'react'
import styles from './empty.module.css'
import hank from './hank.svg'

type Props = {
  title: string
  text: ReactNode
  /** Buttons for what one can do next. */
  actions?: ReactNode
  label?: string
}

/** Fills a page or a column in which there is nothing yet. `label` names it as a section. */
export function Empty({ title, text, actions, label }: Props) {
  return (
    <section className={styles.empty} aria-label={label}>
      <svg className={styles.hank} viewBox="0 0 232 108" aria-hidden="true">
        <use href={`${hank}#hank`} />
      </svg>
      <h2>{title}</h2>
      <p>{text}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  )
}
