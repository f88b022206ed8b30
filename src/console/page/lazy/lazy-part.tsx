import { type ComponentType, type LazyExoticComponent, lazy, useContext } from 'react'
import { AttemptContext } from '../../relay/use-query.ts'

type Loading<P> = { attempt: number; hasFailed: boolean; Part: LazyExoticComponent<ComponentType<P>> }
type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** Like React's `lazy`, but after a failure, the next attempt loads the script again. */
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
      load().catch((error) => {
        loading.hasFailed = true
        throw error
      }),
    ),
  }
  return loading
}
