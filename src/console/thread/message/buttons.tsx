import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  buttons_message$data,
  buttons_message$key,
} from '../../../generated/console/buttons_message.graphql.ts'
import type { buttonsPressMutation } from '../../../generated/console/buttonsPressMutation.graphql.ts'
import { Avatar } from '../../page/avatar.tsx'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { newKey } from '../../relay/new-key.ts'
import { useAction } from '../../relay/use-action.ts'
import { nameList } from '../../text/name-list.ts'
import { dateAndTime, timeOfDay } from '../../text/time.ts'
import styles from './buttons.module.css'

const ConfirmPress = lazyPart(() => import('./confirm-press.tsx'))

type MessageButton = buttons_message$data['buttons'][number]

/** The buttons that the program offers below its message, and who has pressed them. */
export function Buttons(props: { message: buttons_message$key }) {
  const { id, editedAt, buttons } = useFragment(
    graphql`
      fragment buttons_message on Message {
        id editedAt
        buttons {
          buttonID label style confirm url pressCount viewerPressedAt
          presses(first: 5) { nodes { pressedAt user { id name kind avatarURL } } }
        }
      }
    `,
    props.message,
  )
  const { press, pressedID, isPressing, problem } = usePress(id, editedAt)
  const [asked, setAsked] = useState<MessageButton | null>(null)
  const act = (button: MessageButton) => {
    if (button.url == null) press(button)
    else window.open(button.url, '_blank', 'noopener,noreferrer')
  }
  // Also if the answer was lost.
  const hasArrived = buttons.some(
    ({ buttonID, viewerPressedAt }) => buttonID === pressedID && viewerPressedAt != null,
  )
  if (buttons.length === 0 && problem === null) return null
  return (
    <>
      <div className={styles.buttons}>
        {buttons.map((button) => (
          <OneButton
            key={keyOf(button)}
            button={button}
            isPressing={isPressing && button.buttonID === pressedID}
            onAct={button.confirm == null ? act : setAsked}
          />
        ))}
      </div>
      {buttons.map((button) => (
        <Presses key={keyOf(button)} button={button} />
      ))}
      <ProblemText problem={hasArrived ? null : problem} />
      {asked && (
        <SmallPart>
          <ConfirmPress
            button={asked}
            onConfirm={() => {
              setAsked(null)
              act(asked)
            }}
            onClose={() => setAsked(null)}
          />
        </SmallPart>
      )}
    </>
  )
}

const keyOf = ({ buttonID, label, url }: MessageButton) => buttonID ?? `${label} ${url}`

type OneProps = { button: MessageButton; isPressing: boolean; onAct: (button: MessageButton) => void }

function OneButton({ button, isPressing, onAct }: OneProps) {
  const { label, style, url, confirm, viewerPressedAt } = button
  const looks = {
    variant: 'default',
    size: 'xs',
    className: styles.button ?? '',
    'data-style': style,
  } as const
  const name = <bdi>{label}</bdi>
  if (url != null)
    return (
      <Button
        {...looks}
        component="a"
        href={url}
        target="_blank"
        rel="nofollow noopener noreferrer"
        onClick={(event) => {
          if (confirm == null) return
          event.preventDefault()
          onAct(button)
        }}
      >
        {name}
      </Button>
    )
  const isPressed = viewerPressedAt != null
  return (
    <Button
      {...looks}
      aria-pressed={isPressed}
      aria-busy={isPressing}
      // A button that is disabled would lose the focus.
      aria-disabled={isPressed || isPressing}
      leftSection={isPressed && <Icon name="check" size={14} />}
      onClick={() => !isPressed && !isPressing && onAct(button)}
    >
      {name}
    </Button>
  )
}

/** Says who pressed a button, and when it was first pressed. */
function Presses({ button: { label, pressCount, presses } }: { button: MessageButton }) {
  const [first] = presses.nodes
  if (!first) return null
  const names = presses.nodes.map(({ user }) => user.name)
  const each = presses.nodes.map(({ user, pressedAt }) => `${user.name}, ${dateAndTime(pressedAt)}`)
  return (
    <p className={styles.presses} title={each.join('\n')}>
      <Avatar user={first.user} size="sm" />
      <span>
        {nameList(names, pressCount - names.length)} pressed <bdi>{label}</bdi>
      </span>
      <time dateTime={first.pressedAt}>{timeOfDay(first.pressedAt)}</time>
    </p>
  )
}

/** Presses a button. A press that failed is repeated with its key, because it may have arrived. */
function usePress(messageID: string, editedAt: string | null | undefined) {
  const keys = useRef(new Map<string, string>())
  const [pressedID, setPressedID] = useState<string | null>(null)
  const { run, isRunning, problem } = useAction<buttonsPressMutation>(graphql`
    mutation buttonsPressMutation($input: PressMessageButtonInput!) {
      pressMessageButton(input: $input) { message { ...buttons_message } }
    }
  `)
  const press = ({ buttonID }: MessageButton) => {
    if (buttonID == null) return
    // After an edit, the button may be another one.
    const button = `${buttonID} ${editedAt}`
    const clientKey = keys.current.get(button) ?? newKey()
    keys.current.set(button, clientKey)
    setPressedID(buttonID)
    run({ input: { messageID, buttonID, clientKey } }, () => keys.current.delete(button))
  }
  return { press, pressedID, isPressing: isRunning, problem }
}
