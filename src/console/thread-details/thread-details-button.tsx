import { lazy, Suspense, useState } from 'react'
import { MoreButton } from '../page/more-button.tsx'

const ThreadDetails = lazy(() => import('./thread-details.tsx'))

/** Opens the details of a thread beside the page. */
export function ThreadDetailsButton({ threadID }: { threadID: string }) {
  const [isOpened, setOpened] = useState(false)
  return (
    <>
      <MoreButton aria-label="Thread details" onClick={() => setOpened(true)} />
      <Suspense>
        {isOpened && <ThreadDetails threadID={threadID} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  )
}
