import { VisuallyHidden } from '@mantine/core'
import { useMemo, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { sidePins_pins$key } from '../../../generated/console/sidePins_pins.graphql.ts'
import type { sidePinsLiveSubscription } from '../../../generated/console/sidePinsLiveSubscription.graphql.ts'
import type { sidePinsOrderMutation } from '../../../generated/console/sidePinsOrderMutation.graphql.ts'
import type { sidePinsQuery } from '../../../generated/console/sidePinsQuery.graphql.ts'
import { keepPins } from '../../relay/keep-pins.ts'
import { useAction } from '../../relay/use-action.ts'
import { useReloadedQuery } from '../../relay/use-query.ts'
import { useStream } from '../../relay/use-stream.ts'
import { useViewer } from '../../session/viewer.ts'
import { PinnedGroup } from './pinned-group.tsx'
import { PinnedThread } from './pinned-thread.tsx'
import { SideSection } from './side-row.tsx'

/** Each stream of a page counts toward the limit of the person. */
const mostStreams = 10

/** What the person has pinned, in their order. Without pins, shows nothing. */
export function SidePins() {
  const { listVersion } = useViewer()
  const [{ viewer, latestEventCursor: after }, reload] = useReloadedQuery<sidePinsQuery>(
    graphql`query sidePinsQuery { latestEventCursor viewer { pins { ...sidePins_pins } } }`,
    {},
    listVersion,
  )
  const pins = viewer?.pins ?? []
  return pins.length > 0 && <Pins pins={pins} after={after} reload={reload} />
}

type Props = { pins: sidePins_pins$key; after: string | null | undefined; reload: () => void }

function Pins({ after, reload, ...props }: Props) {
  const pins = useFragment(
    graphql`
      fragment sidePins_pins on Pin @relay(plural: true) {
        __typename
        ... on Group { id ...pinnedGroup_group @alias(as: "group") }
        ... on Thread { id isMine ...pinnedThread_thread @alias(as: "thread") }
      }
    `,
    props.pins,
  )
  const order = useAction<sidePinsOrderMutation>(graphql`
    mutation sidePinsOrderMutation($input: OrderPinsInput!) {
      orderPins(input: $input) { viewer { pins { ...sidePins_pins } } }
    }
  `)
  const [moved, setMoved] = useState('')
  const shown = pins.filter((pin) => pin.__typename !== '%other')
  const others = shown.filter((pin) => pin.__typename === 'Thread' && !pin.isMine).slice(0, mostStreams)
  const move = (from: number, to: number) => {
    if (to < 0 || to >= shown.length) return undefined
    return () => {
      if (order.isRunning) return
      const ids = shown.map(({ id }) => id)
      const pinnedIDs = ids.toSpliced(from, 1).toSpliced(to, 0, ...ids.slice(from, from + 1))
      const done = () => setMoved(`Moved to place ${to + 1} of ${ids.length}`)
      order.run({ input: { pinnedIDs } }, done, (store) => keepPins(store, 'orderPins'))
    }
  }
  return (
    <>
      <SideSection name="pins" title="Pinned">
        {shown.map((pin, index) => {
          const moves = { up: move(index, index - 1), down: move(index, index + 1) }
          if (pin.__typename === 'Group')
            return pin.group && <PinnedGroup key={pin.id} group={pin.group} moves={moves} />
          return pin.thread && <PinnedThread key={pin.id} thread={pin.thread} moves={moves} />
        })}
      </SideSection>
      {others.map(({ id }) => (
        <LivePin key={id} threadID={id} after={after} reload={reload} />
      ))}
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
    </>
  )
}

type LivePinProps = { threadID: string; after: string | null | undefined; reload: () => void }

/** Keeps a pinned thread current that does not concern the person, and is therefore not in the inbox stream. Shows nothing. */
function LivePin({ threadID, after, reload }: LivePinProps) {
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription sidePinsLiveSubscription($threadID: ID!, $after: String) {
          threadEvents(threadID: $threadID, after: $after) { cursor thread { id ...pinnedThread_thread } }
        }
      `,
      variables: { threadID },
    }),
    [threadID],
  )
  useStream<sidePinsLiveSubscription>(config, { after, reload })
  return null
}
