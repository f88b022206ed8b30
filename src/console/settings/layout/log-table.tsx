import { Text, VisuallyHidden } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { ShowMore } from '../../page/show-more.tsx'
import { StateMark } from '../../page/state-mark.tsx'
import { dateAndTime, timeOfRequest } from '../../text/time.ts'
import styles from './log-table.module.css'

type LogTableProps = {
  label: string
  /** The names of the columns before the one of the actions. */
  columns: readonly [string, string, string, string]
  empty: string
  more?: ComponentProps<typeof ShowMore>
  children: ReactNode[]
}

/** A table of requests and their responses. On a phone, the cells of a row lie below each other. */
export function LogTable({ label, columns, empty, more, children }: LogTableProps) {
  return (
    <>
      {children.length === 0 ? (
        <Text size="sm">{empty}</Text>
      ) : (
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
              <th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            </tr>
          </thead>
          {children}
        </table>
      )}
      {more && <ShowMore {...more} />}
    </>
  )
}

type LogRowProps = {
  /** The cells before the one of the actions. */
  children: ReactNode
  actions: ReactNode
  /** What the row shows when it is expanded. */
  details: ReactNode
}

/** A request, with a second row for its details. */
export function LogRow({ children, actions, details }: LogRowProps) {
  return (
    <tbody>
      <tr>
        {children}
        <td>
          <div className={styles.actions}>{actions}</div>
        </td>
      </tr>
      {details && (
        <tr>
          <td colSpan={5} className={styles.details}>
            {details}
          </td>
        </tr>
      )}
    </tbody>
  )
}

type AnswerProps = { state: 'running' | 'failed' | 'ok' | null; label: string; code: number | null }

/** What a request was answered with: a mark, and the status code or the name of the state. */
export function Answer({ state, label, code }: AnswerProps) {
  return (
    <span className={styles.answer} data-answer={state ?? undefined}>
      <span aria-hidden={code === null}>
        <StateMark state={state} label={label} />
      </span>
      {code ?? label}
    </span>
  )
}

/** The time of a request. The table is too narrow for its year, which is in the tooltip. */
export function LogTime({ time }: { time: string }) {
  return (
    <time dateTime={time} title={dateAndTime(time)}>
      {timeOfRequest(time)}
    </time>
  )
}
