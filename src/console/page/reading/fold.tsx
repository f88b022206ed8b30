import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './fold.module.css'

const mostLines = 40

/** What the person has opened and closed. A list removes the rows that are not on screen, with their state. */
const choices = new Map<string, boolean>()

/** The detail of the event `unfold`: how far the browser has scrolled the lines that are shown. */
export type Unfold = { offsetPx: number }

declare global {
  interface HTMLElementEventMap {
    unfold: CustomEvent<Unfold>
  }
}

type Opening = { id: string | undefined; isOpened: boolean; onOpen: () => void }

/** The text around a block of code. It opens when the code opens. */
const TextContext = createContext<Opening>({ id: undefined, isOpened: false, onOpen: () => {} })

/** `isOpened` opens the part at first, whatever the person has chosen before. */
function useChoice(key: string | undefined, isOpened: boolean): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => isOpened || (key !== undefined && choices.get(key) === true))
  const choose = (next: boolean) => {
    if (key !== undefined) choices.set(key, next)
    setOpen(next)
  }
  return [isOpen, choose]
}

/** Returns whether a block of code is open, and a function that opens or closes it. */
export function useCodeFold(index: number): [boolean, (isOpen: boolean) => void] {
  const { id, isOpened, onOpen } = useContext(TextContext)
  const [isOpen, choose] = useChoice(id && `${id} ${index}`, isOpened)
  const change = (next: boolean) => {
    if (next) onOpen()
    choose(next)
  }
  return [isOpen, change]
}

type Props = {
  id: string
  isOpened: boolean
  html: string
  className: string | undefined
  children: ReactNode
}

/** A text that shows 40 lines at first. The text with the same `id` stays open when its row is shown again. */
export function FoldedText({ id, isOpened, html, className, children }: Props) {
  const textID = useId()
  const text = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useChoice(id, isOpened)
  // biome-ignore lint/correctness/useExhaustiveDependencies: The height depends on the HTML.
  useLayoutEffect(() => {
    if (text.current) setLong(text.current.scrollHeight > mostLines * lineHeightOf(text.current))
  }, [html])
  const open = () => {
    // The list around the text then no longer follows new messages, and shows what was on screen.
    const detail: Unfold = { offsetPx: text.current?.scrollTop ?? 0 }
    text.current?.dispatchEvent(new CustomEvent('unfold', { bubbles: true, detail }))
    setOpen(true)
  }
  const isFolded = isLong && !isOpen
  return (
    <TextContext value={{ id, isOpened, onOpen: open }}>
      <div>
        <div
          ref={text}
          id={textID}
          className={className}
          data-folded={isFolded || undefined}
          // The browser scrolls to what it finds in the page, and to a link that gets the focus.
          onScroll={isFolded ? ({ currentTarget }) => currentTarget.scrollTop > 0 && open() : undefined}
        >
          {children}
        </div>
        {isLong && (
          <FoldButton
            isOpen={isOpen}
            controls={textID}
            label={isOpen ? 'Show less' : 'Show more'}
            onChange={(next) => (next ? open() : setOpen(false))}
          />
        )}
      </div>
    </TextContext>
  )
}

function lineHeightOf(element: Element): number {
  return Number.parseFloat(getComputedStyle(element).lineHeight)
}

type ButtonProps = { isOpen: boolean; controls: string; label: string; onChange: (isOpen: boolean) => void }

/** The button below a part that can be folded. It stays on screen when the part becomes shorter. */
export function FoldButton({ isOpen, controls, label, onChange }: ButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={({ currentTarget }) => {
        flushSync(() => onChange(!isOpen))
        if (isOpen) currentTarget.scrollIntoView({ block: 'nearest' })
      }}
    >
      {label}
    </button>
  )
}
