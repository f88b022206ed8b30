import { Center, Loader } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useReducer } from 'react'

/** After React has shown a fallback, it waits this long before it shows the content. */
const reactDelayMs = 300
const attemptEveryMs = 20

type Props = {
  children: ReactNode
  /** Replaces the spinner. */
  placeholder?: ReactNode
  /** Rendered while the content loads. Shows nothing. */
  meanwhile?: ReactNode
}

/** Shows that its content is loading. Unlike plain `Suspense`, shows the content as soon as it has loaded. */
export function LoadingBoundary({ children, placeholder = <Spinner />, meanwhile }: Props) {
  // React delays content that replaces a placeholder, unless an update renders the content. Therefore, this component
  // updates often.
  const [, update] = useReducer((count: number) => count + 1, 0)
  return (
    <Suspense
      fallback={
        <>
          <div role="status" aria-label="Loading">
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

function Spinner() {
  return (
    <Center p="xl">
      <Loader size="sm" />
    </Center>
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
