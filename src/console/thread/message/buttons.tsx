import { Button } from '@mantine/core'
import { type MouseEvent, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  buttons_message$data,
  buttons_message$key,
} from '../../../generated/console/buttons_message.graphql.ts'
import { Avatar } from '../../page/avatar.tsx'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { nameList } from '../../text/name-list.ts'
import { dateAndTime, timeOfDay } from '../../text/time.ts'
import styles from './buttons.module.css'
import { usePresses } from './use-presses.ts'

const ConfirmPress = lazyPart(() => import('./confirm-press.tsx'))

type MessageButton = buttons_message$data['buttons'][number]

/** The buttons that the program offers below its message, and who has pressed them. */
export function Buttons(props: { message: buttons_message$key }) {
  const { id, buttons, buttonsRevision } = useFragment(
    graphql`
      fragment buttons_message on Message {
        id buttonsRevision
        buttons {
          buttonID label style confirm url pressCount viewerPressedAt
          presses(first: 5) { nodes { pressedAt user { id name kind avatarURL } } }
        }
      }
    `,
    props.message,
  )
  const { press, isPressing, problem } = usePresses(id, buttonsRevision, buttons)
  const [asked, setAsked] = useState<{ button: MessageButton; revision: number } | null>(null)
  const act = (button: MessageButton) => {
    setAsked(null)
    if (button.url == null) press(button)
    else window.open(button.url, '_blank', 'noopener,noreferrer')
  }
  const close = () => setAsked(null)
  // The buttons of a revision do not change.
  const shown = buttons.map((button, index) => ({ button, key: `${buttonsRevision} ${index}` }))
  return (
    <>
      {shown.length > 0 && (
        <div className={styles.buttons}>
          {shown.map(({ button, key }) => (
            <OneButton
              key={key}
              button={button}
              isPressing={isPressing(button)}
              onAct={() =>
                button.confirm == null ? act(button) : setAsked({ button, revision: buttonsRevision })
              }
            />
          ))}
        </div>
      )}
      {shown.map(({ button, key }) => (
        <Presses key={key} button={button} />
      ))}
      <ProblemText problem={problem} />
      {asked?.revision === buttonsRevision && (
        <SmallPart onClose={close}>
          <ConfirmPress button={asked.button} onConfirm={() => act(asked.button)} onClose={close} />
        </SmallPart>
      )}
    </>
  )
}

type OneProps = { button: MessageButton; isPressing: boolean; onAct: () => void }

function OneButton({ button, isPressing, onAct }: OneProps) {
  const { label, style, url, confirm, viewerPressedAt } = button
  const looks = {
    variant: 'default',
    size: 'xs',
    className: styles.button ?? '',
    'data-style': style,
  } as const
  const name = <bdi className={styles.label}>{label}</bdi>
  if (url != null) {
    const ask = (event: MouseEvent) => {
      if (confirm == null) return
      event.preventDefault()
      onAct()
    }
    return (
      <Button
        {...looks}
        component="a"
        href={url}
        target="_blank"
        rel="nofollow noopener noreferrer"
        onClick={ask}
        onAuxClick={ask}
      >
        {name}
      </Button>
    )
  }
  const isPressed = viewerPressedAt != null
  return (
    <Button
      {...looks}
      aria-pressed={isPressed}
      aria-busy={isPressing}
      // A button that is disabled would lose the focus.
      aria-disabled={isPressed || isPressing}
      leftSection={isPressed && <Icon name="check" size={14} />}
      onClick={() => !isPressed && !isPressing && onAct()}
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
