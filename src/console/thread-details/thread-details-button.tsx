import { useState } from 'react'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { MoreButton } from '../page/more-button.tsx'

const ThreadDetails = lazyPart(() => import('./thread-details.tsx'))

export function ThreadDetailsButton({ threadID }: { threadID: string }) {
  const [isOpened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <>
      <MoreButton aria-label="Thread details" onClick={() => setOpened(true)} />
      {isOpened && (
        <SmallPart onClose={close}>
          <ThreadDetails threadID={threadID} onClose={close} />
        </SmallPart>
      )}
    </>
  )
}
