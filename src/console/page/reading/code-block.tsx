import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useCopy } from '../copying.tsx'
import { Icon } from '../icon.tsx'
import styles from './code-block.module.css'
import { colorCode } from './color-code.ts'
import { FoldButton, useCodeFold } from './fold.tsx'

const mostLines = 16

type Props = { text: string; language: string | undefined; index: number }

/** A block of code that shows 16 lines at first. `index` is its place among the blocks of its text. */
export function CodeBlock({ text, language, index }: Props) {
  const id = useId()
  const [isOpen, change] = useCodeFold(index)
  const code = text.replace(/\n$/, '')
  const lines = code.split('\n')
  const isLong = lines.length > mostLines
  return (
    <div className={styles.block} dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard scrolls long lines. */}
      {/* biome-ignore lint/a11y/useSemanticElements: A fieldset is for the fields of a form. */}
      <div className={styles.lines} id={id} role="group" aria-label="Code" tabIndex={0}>
        <pre>
          <ColoredCode text={isLong ? lines.slice(0, mostLines).join('\n') : code} language={language} />
        </pre>
        {isLong && (
          <Rest isOpen={isOpen} onFound={() => change(true)}>
            <ColoredCode text={lines.slice(mostLines).join('\n')} language={language} />
          </Rest>
        )}
      </div>
      <CopyBar code={code} language={language} />
      {isLong && (
        <FoldButton
          isOpen={isOpen}
          controls={id}
          label={isOpen ? `Show the first ${mostLines} lines` : `Show all ${lines.length} lines`}
          onChange={change}
        />
      )}
    </div>
  )
}

type RestProps = { isOpen: boolean; onFound: () => void; children: ReactNode }

/** The lines that are hidden until the person opens the block, or the browser finds a text in them. */
function Rest({ isOpen, onFound, children }: RestProps) {
  return (
    <pre
      ref={(element) => {
        // React writes `hidden` only without a value.
        if (isOpen) element?.removeAttribute('hidden')
        else element?.setAttribute('hidden', 'until-found')
        element?.addEventListener('beforematch', onFound)
        return () => element?.removeEventListener('beforematch', onFound)
      }}
    >
      {children}
    </pre>
  )
}

/** Strings, numbers and keywords of code in their colors. */
export function ColoredCode({ text, language }: { text: string; language: string | undefined }) {
  const code = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: React writes the text into the same node.
  useEffect(() => {
    if (code.current?.firstChild instanceof Text) return colorCode(code.current.firstChild, language)
  }, [text, language])
  return <code ref={code}>{text}</code>
}

type CopyBarProps = { code: string; language?: string | undefined; label?: string; describedBy?: string }

/** The language of a block of code, and the button that copies it. */
export function CopyBar({ code, language, label = 'Copy code', describedBy }: CopyBarProps) {
  const { outcome, copy } = useCopy(label, code)
  return (
    <div className={styles.bar}>
      <span aria-live="polite">{outcome}</span>
      {outcome === null && <span className={styles.language}>{language}</span>}
      <button
        type="button"
        className={styles.copy}
        aria-label={label}
        aria-describedby={describedBy}
        title={label}
        onClick={copy}
      >
        <Icon name="copy" />
      </button>
    </div>
  )
}
