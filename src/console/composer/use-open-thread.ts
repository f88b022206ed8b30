import { useEffect, useRef } from 'react'
import { useNavigate, useParams } from 'react-router'

/** Returns a function that opens a thread, unless the person is writing again or the component is no longer shown. */
export function useOpenThread(isWriting: boolean): (thread: { threadID: string }) => void {
  const { workspaceID } = useParams()
  const navigate = useNavigate()
  const mayOpen = useRef(false)
  useEffect(() => {
    mayOpen.current = !isWriting
    return () => {
      mayOpen.current = false
    }
  }, [isWriting])
  return ({ threadID }) => {
    if (mayOpen.current) navigate(`/${workspaceID}/threads/${threadID}`)
  }
}
