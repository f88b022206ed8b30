import { useState } from 'react'
import { graphql, useMutation } from 'react-relay/hooks'
import type { usePressesMutation } from '../../../generated/console/usePressesMutation.graphql.ts'
import { errorText, splitProblems } from '../../relay/error-text.ts'
import { newKey } from '../../relay/new-key.ts'

type PressedButton = {
  buttonID?: string | null | undefined
  label: string
  viewerPressedAt?: string | null | undefined
}

/** A press that has not succeeded yet. `problem` is null while it is on its way. */
type Press = { buttonID: string; label: string; revision: number; clientKey: string; problem: string | null }

/**
 * Presses the buttons of a message. A press that failed is repeated with its key, because it may have arrived. `revision`
 * says which buttons the person sees: those that replace them are not pressed.
 */
export function usePresses(messageID: string, revision: number, buttons: readonly PressedButton[]) {
  const [presses, setPresses] = useState<readonly Press[]>([])
  const [commit] = useMutation<usePressesMutation>(graphql`
    mutation usePressesMutation($input: PressMessageButtonInput!) {
      pressMessageButton(input: $input) { message { ...buttons_message } }
    }
  `)
  const pressOf = (buttonID: string) =>
    presses.find((one) => one.buttonID === buttonID && one.revision === revision)

  const press = ({ buttonID, label }: PressedButton) => {
    if (buttonID == null) return
    const clientKey = pressOf(buttonID)?.clientKey ?? newKey()
    const isOther = (one: Press) => one.clientKey !== clientKey
    const settle = (problem: string | null) =>
      setPresses((all) => [
        ...all.filter(isOther),
        ...(problem === null ? [] : [{ buttonID, label, revision, clientKey, problem }]),
      ])
    // Problems of buttons that were replaced are no news any more.
    setPresses((all) => [
      ...all.filter((one) => isOther(one) && one.revision === revision),
      { buttonID, label, revision, clientKey, problem: null },
    ])
    commit({
      variables: { input: { messageID, buttonID, buttonsRevision: revision, clientKey } },
      onCompleted: (_response, errors) => settle(errors?.length ? refusal(errors) : null),
      onError: (error) => settle(errorText(error)),
    })
  }

  // The answer of a press that has arrived may be lost.
  const hasArrived = (one: Press) =>
    buttons.some(({ buttonID, viewerPressedAt }) => buttonID === one.buttonID && viewerPressedAt != null)
  // Also the refusal because the buttons have just been replaced.
  const failed = presses.filter(
    (one) => one.problem !== null && one.revision >= revision - 1 && !hasArrived(one),
  )
  return {
    press,
    isPressing: ({ buttonID }: PressedButton) => buttonID != null && pressOf(buttonID)?.problem === null,
    problem:
      failed.length === 0 ? null : failed.map(({ label, problem }) => `${label}: ${problem}`).join('\n'),
  }
}

function refusal(errors: readonly object[]): string {
  const { reason, text } = splitProblems(errors, [])
  if (reason === 'BUTTON_GONE')
    return 'The program changed its buttons before your press arrived. It does not count.'
  return text ?? ''
}
