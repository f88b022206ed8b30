import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadLinks_thread$key } from '../../generated/console/threadLinks_thread.graphql.ts'
import { copyText } from '../text/copy-text.ts'

/** Buttons that copy the link and the ID of a thread. */
export function ThreadLinks(props: { thread: threadLinks_thread$key }) {
  const { id, url } = useFragment(graphql`fragment threadLinks_thread on Thread { id url }`, props.thread)
  return (
    <Group gap="xs" pb="md">
      <CopyButton label="Copy link" text={url} />
      <CopyButton label="Copy ID" text={id} />
    </Group>
  )
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    setCopied(await copyText(text))
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <Button variant="default" size="xs" onClick={copy}>
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  )
}
