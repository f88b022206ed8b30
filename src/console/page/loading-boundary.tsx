import { type ReactNode, Suspense, useEffect, useReducer } from 'react'
import styles from './bones.module.css'
import { TextBones } from './bones.tsx'

/** After React has shown a fallback, it waits this long before it shows the content. */
const reactDelayMs = 300
const attemptEveryMs = 20

type Props = {
  children: ReactNode
  /** Replaces the shapes of a few lines. */
  placeholder?: ReactNode
  /** Rendered while the content loads. Shows nothing. */
  meanwhile?: ReactNode
}

/** Shows that its content is loading. Unlike plain `Suspense`, shows the content as soon as it has loaded. */
export function LoadingBoundary({ children, placeholder = <TextBones />, meanwhile }: Props) {
  // React delays content that replaces a placeholder, unless an update renders the content. Therefore, this component
  // updates often.
  const [, update] = useReducer((count: number) => count + 1, 0)
  return (
    <Suspense
      fallback={
        <>
          <div className={styles.loading} role="status" aria-label="Loading">
            {placeholder}
          </div>
          <Attempts onAttempt={update} />
          {meanwhile}
        </>
      }
    >
      {children}
    </Suspense>
  )
}

function Attempts({ onAttempt }: { onAttempt: () => void }) {
  useEffect(() => {
    const timer = setInterval(onAttempt, attemptEveryMs)
    const end = setTimeout(() => clearInterval(timer), reactDelayMs)
    return () => {
      clearInterval(timer)
      clearTimeout(end)
    }
  }, [onAttempt])
  return null
}
