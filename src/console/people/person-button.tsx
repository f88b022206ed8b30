import { Popover } from '@mantine/core'
import { type ComponentProps, type Ref, useImperativeHandle, useState } from 'react'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import styles from './person-button.module.css'

const PersonCard = lazyPart(() => import('./person-card.tsx'))

type Props = ComponentProps<'button'> & {
  user: { id: string; name: string }
  /** The program with which the user wrote a message. */
  via?: string | null
}

/** A name or a picture that opens a card about a user. A closed card is not rendered, because a list has many messages. */
export function PersonButton({ user, via = null, className = '', ...button }: Props) {
  const [opener, setOpener] = useState<HTMLButtonElement | null>(null)
  const close = () => {
    setOpener(null)
    opener?.focus({ preventScroll: true })
  }
  return (
    <>
      <button
        type="button"
        className={`${styles.button} ${className}`}
        aria-haspopup="dialog"
        aria-expanded={opener !== null}
        onClick={({ currentTarget }) => (opener ? close() : setOpener(currentTarget))}
        {...button}
      />
      {opener && (
        <Popover
          opened
          onDismiss={close}
          position="bottom-start"
          width="19rem"
          shadow="lg"
          trapFocus
          withRoles={false}
        >
          <Popover.Target>
            <Anchor element={opener} />
          </Popover.Target>
          <Popover.Dropdown role="dialog" aria-label={user.name} tabIndex={-1} mih="6.5rem">
            <ProblemBoundary>
              <LoadingBoundary>
                <PersonCard userID={user.id} via={via} />
              </LoadingBoundary>
            </ProblemBoundary>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

/** Shows the card beside an element that is not in the popover. */
function Anchor({ ref, element }: { ref?: Ref<HTMLElement>; element: HTMLElement }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}
