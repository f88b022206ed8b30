import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useThreadPath } from '../page/use-thread-path.ts'

/** Returns a function that opens a thread, unless the person is writing again or the component is no longer shown. */
export function useOpenThread(isWriting: boolean): (thread: { threadID: string }) => void {
  const threadPath = useThreadPath()
  const navigate = useNavigate()
  const mayOpen = useRef(false)
  useEffect(() => {
    mayOpen.current = !isWriting
    return () => {
      mayOpen.current = false
    }
  }, [isWriting])
  return ({ threadID }) => {
    if (mayOpen.current) navigate(threadPath(threadID))
  }
}
