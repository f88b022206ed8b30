import { Anchor, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { senderExamplesQuery } from '../../../../generated/console/senderExamplesQuery.graphql.ts'
import tabs from '../../../page/filter-tabs.module.css'
import { EntrySelect } from '../../../people/picker/entry-select.tsx'
import { useQuery } from '../../../relay/use-query.ts'
import { CommandBlock } from '../../commands/command-block.tsx'
import { senders } from './senders.ts'

type Props = { name: string; url: string }

/** Shows how the usual programs call a webhook, with the group that the person chooses. */
export function SenderExamples({ name, url }: Props) {
  const { groups } = useQuery<senderExamplesQuery>(
    graphql`query senderExamplesQuery { groups(first: 100) { nodes { id isPrivate isGeneral } } }`,
    {},
    { fetchPolicy: 'store-and-network' },
  )
  const [groupID, setGroupID] = useState(() => firstTarget(groups?.nodes ?? []))
  return (
    <>
      <EntrySelect
        kind="publicGroups"
        label="Group that receives the messages"
        description="A webhook can post in all public groups. To post in a private group, add the webhook there under Members → Add people."
        allowDeselect={false}
        value={groupID}
        onChange={(id) => setGroupID(id ?? groupID)}
      />
      <Tabs
        variant="none"
        classNames={{ list: tabs.tabs, tab: tabs.tab }}
        defaultValue="0"
        keepMounted={false}
      >
        <Tabs.List aria-label="Sender">
          {senders.map((sender, index) => (
            <Tabs.Tab key={sender.name} value={String(index)}>
              {sender.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {senders.map(({ name: sender, where, label, example, docs }, index) => (
          <Tabs.Panel key={sender} value={String(index)} pt="sm">
            <Stack gap="xs">
              <Text size="sm">{where}</Text>
              <CommandBlock label={label} command={example({ url, groupID, name })} copies="the example" />
              <Anchor href={docs.path} size="sm">
                More about {docs.topic}
              </Anchor>
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

type TargetGroup = { id: string; isPrivate: boolean; isGeneral: boolean }

/**
 * Returns the ID of a public group, because a new webhook is not a member of any private group. Avoids the General
 * group, because a message to another group disturbs fewer people.
 */
function firstTarget(groups: readonly TargetGroup[]): string {
  const isPublic = groups.filter(({ isPrivate }) => !isPrivate)
  return (isPublic.find(({ isGeneral }) => !isGeneral) ?? isPublic[0])?.id ?? ''
}
