import { type ComponentType, type LazyExoticComponent, lazy, useContext } from 'react'
import { AttemptContext } from '../../relay/use-query.ts'
import { scriptError } from '../problems/script-error.ts'

type Loading<P> = { attempt: number; hasFailed: boolean; Part: LazyExoticComponent<ComponentType<P>> }
type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** Like React's `lazy`, but after a failure, the next attempt loads the script and its styles again. */
export function lazyPart<P extends object>(load: Load<P>): ComponentType<P> {
  let current: Loading<P> | undefined
  return function LazyPart(props: P) {
    const attempt = useContext(AttemptContext)
    if (!current || (current.hasFailed && current.attempt < attempt)) current = start(load, attempt)
    return <current.Part {...props} />
  }
}

function start<P extends object>(load: Load<P>, attempt: number): Loading<P> {
  const loading: Loading<P> = {
    attempt,
    hasFailed: false,
    Part: lazy(() =>
      loadFailedStyles()
        .then(load)
        .catch((error) => {
          loading.hasFailed = true
          throw error
        }),
    ),
  }
  return loading
}

const failed = new Set<HTMLLinkElement>()

// The error events of elements do not bubble. Therefore, this listener uses the capture phase.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target)
  },
  true,
)

/** Retries the style sheets that could not be loaded. Vite requests each style sheet only once, even if it fails. */
async function loadFailedStyles(): Promise<void> {
  await Promise.all(
    [...failed].map((link) => {
      failed.delete(link)
      const next = link.cloneNode() as HTMLLinkElement
      return new Promise<void>((resolve, reject) => {
        next.onload = () => resolve()
        next.onerror = () => reject(scriptError(`${next.href} could not be loaded`))
        link.replaceWith(next)
      })
    }),
  )
}
