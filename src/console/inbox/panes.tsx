import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { ConversationBones, RowBones } from '../page/bones.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { KeptSideContext, useSide } from '../page/side-column.ts'
import { useIsWide } from '../page/widths.ts'
import { ThreadPage } from '../thread/thread-page.tsx'
import styles from './panes.module.css'
import { SideColumn } from './side-column.tsx'

type Props = {
  /** The name of the list. */
  label: string
  list: ReactNode
  /** Whether a narrow window shows the conversation, and not the list. */
  isOpen: boolean
  children: ReactNode
}

/** A list of threads, the conversation that is open, and a third column beside it or in its place. */
export function Panes({ label, list, isOpen, children }: Props) {
  const { shown, isChosen, close } = useSide()
  const isWide = useIsWide()
  useClosing(isWide, () => shown && close())
  return (
    <KeptSideContext value={isWide ? shown : null}>
      <div className={styles.panes} data-shows={isOpen || shown ? 'detail' : 'list'}>
        <section className={styles.list} aria-label={label}>
          {list}
        </section>
        <div className={styles.rest}>
          <div className={styles.detail} data-covered={shown ? true : undefined}>
            {children}
          </div>
          {shown && (
            <SideColumn
              key={`${shown.kind}-${shown.id}`}
              side={shown}
              isChosen={isChosen}
              isWide={isWide}
              onClose={close}
            />
          )}
        </div>
      </div>
    </KeptSideContext>
  )
}

/** The shapes of `Panes` while they load. */
export function PanesBones() {
  return (
    <div className={styles.panes} data-shows="list" data-loading>
      <div className={styles.list}>
        <RowBones />
      </div>
      <div className={styles.rest}>
        <div className={styles.detail}>
          <ConversationBones />
        </div>
      </div>
    </div>
  )
}

/** Closes the third column when the window loses the room for it, so that it does not suddenly cover the conversation. */
function useClosing(isWide: boolean, close: () => void): void {
  const wasWide = useRef(isWide)
  const onNarrow = useEffectEvent(close)
  useEffect(() => {
    if (wasWide.current && !isWide) onNarrow()
    wasWide.current = isWide
  }, [isWide])
}

/** The conversation beside a list. */
export function OpenThread(props: { threadID: string; messageID: string | undefined }) {
  return (
    <ProblemBoundary key={props.threadID}>
      <LoadingBoundary placeholder={<ConversationBones />}>
        <ThreadPage {...props} />
      </LoadingBoundary>
    </ProblemBoundary>
  )
}
