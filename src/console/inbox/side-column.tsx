import { CloseButton, Title } from '@mantine/core'
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { openerOf } from '../page/dialogs/use-focus-return.ts'
import { BackButton, Header } from '../page/header.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { SectionLevelContext } from '../page/section-title.tsx'
import type { Side } from '../page/side-column.ts'
import styles from './side-column.module.css'

type Part = { title: string; Content: ComponentType<ContentProps> }
type ContentProps = { id: string; onClose: () => void }

const parts: Record<Side['kind'], Part> = {
  thread: {
    title: 'Thread details',
    Content: lazyPart<ContentProps>(() => import('../thread-details/thread-details.tsx')),
  },
  group: {
    title: 'Group details',
    Content: lazyPart<ContentProps>(() => import('../group-details/group-details.tsx')),
  },
  edit: {
    title: 'Edit group',
    Content: lazyPart<ContentProps>(() => import('../group-details/edit-group.tsx')),
  },
  reply: {
    title: 'Reply in a new thread',
    Content: lazyPart<ContentProps>(() => import('../thread/actions/new-thread-from.tsx')),
  },
}

type Props = { side: Side; isChosen: boolean; isWide: boolean; onClose: () => void }

/** The third column. If the window has no room for it, it takes the place of the conversation. */
export function SideColumn({ side, isChosen, isWide, onClose }: Props) {
  const { title, Content } = parts[side.kind]
  const column = useColumnFocus(isChosen)
  // Menus and dialogs are outside of the element, and fields with an open list close the list.
  const onKeyDown = ({ key, shiftKey, target }: KeyboardEvent) => {
    const isOwn = target instanceof Element && column.current?.contains(target)
    if (key === 'Escape' && !shiftKey && isOwn && !target.matches('[data-mantine-stop-propagation=true]'))
      onClose()
  }
  return (
    <aside
      ref={column}
      tabIndex={-1}
      className={styles.column}
      aria-label={title}
      data-drop-pane
      onKeyDown={onKeyDown}
    >
      <Header>
        <BackButton onClick={onClose} />
        <Title order={isWide ? 2 : 1} size="h2" me="auto">
          {title}
        </Title>
        <CloseButton aria-label="Close" visibleFrom="md" onClick={onClose} />
      </Header>
      <div className={styles.content}>
        <ProblemBoundary>
          <LoadingBoundary>
            <SectionLevelContext value={isWide ? 3 : 2}>
              <Content id={side.id} onClose={onClose} />
            </SectionLevelContext>
          </LoadingBoundary>
        </ProblemBoundary>
      </div>
    </aside>
  )
}

/** Moves the focus into the column if the person has opened it. Returns it when the column closes, unless it is elsewhere. */
function useColumnFocus(isChosen: boolean) {
  const column = useRef<HTMLElement>(null)
  const [opener] = useState(() => openerOf(document.activeElement))
  const takesFocus = useRef(isChosen)
  useEffect(() => {
    // What is in the column may have taken the focus.
    if (takesFocus.current && !column.current?.contains(document.activeElement)) column.current?.focus()
    return () => {
      if (document.activeElement !== document.body) return
      const target = opener?.isConnected ? opener : document.querySelector('main')
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    }
  }, [opener])
  return column
}
