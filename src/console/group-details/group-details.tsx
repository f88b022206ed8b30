import { Button, Group, Stack, Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { groupDetailsQuery } from '../../generated/console/groupDetailsQuery.graphql.ts'
import { Icon } from '../page/icon.tsx'
import { ProblemText } from '../page/problems/problem.tsx'
import { SectionTitle } from '../page/section-title.tsx'
import { useIsPhone } from '../page/widths.ts'
import { useReloadedQuery } from '../relay/use-query.ts'
import { useMembersChange } from '../session/members-change.ts'
import { ThreadTools } from '../thread/thread-tools.tsx'
import { AddMembers, MemberList } from './group-members.tsx'
import { useMuteGroup } from './use-mute-group.ts'

/** What a group is for, whether it notifies the person, and who is in it. */
export default function GroupDetails({ id }: { id: string }) {
  const [{ group }, reload] = useReloadedQuery<groupDetailsQuery>(
    graphql`
      query groupDetailsQuery($groupID: ID!) {
        group(id: $groupID) {
          id description isGeneral isMuted memberCount viewerRole viewerCanAdminister
          chat { ...threadTools_thread }
          ...groupMembersList_group
        }
      }
    `,
    { groupID: id },
  )
  useMembersChange(id, reload)
  const { toggle, problem } = useMuteGroup()
  const isPhone = useIsPhone()
  if (!group) return <Text c="dimmed">The group does not exist, or you cannot see it.</Text>
  const { description, isMuted, memberCount } = group
  const canAdd = !group.isGeneral && (group.viewerRole || group.viewerCanAdminister)
  return (
    <Stack gap="lg">
      <section>
        <SectionTitle>About</SectionTitle>
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {description || 'No description'}
        </Text>
      </section>
      {isPhone && group.chat && (
        <section>
          <SectionTitle>Chat</SectionTitle>
          <Group gap={4}>
            <ThreadTools thread={group.chat} />
          </Group>
        </section>
      )}
      {group.viewerRole && (
        <section>
          <SectionTitle>Notifications</SectionTitle>
          <Button
            mt={4}
            size="xs"
            variant="default"
            leftSection={<Icon name={isMuted ? 'bellOff' : 'bell'} size={16} />}
            onClick={() => toggle(group)}
          >
            {isMuted ? 'Unmute group' : 'Mute group'}
          </Button>
          <ProblemText problem={problem} />
          <Text size="xs" c="dimmed" mt={4}>
            Muting takes the threads of the group out of your inbox, except those that you follow or that
            mention you.
          </Text>
        </section>
      )}
      <section aria-label="Members">
        <SectionTitle>Members · {memberCount}</SectionTitle>
        {canAdd && <AddMembers groupID={id} onAdded={reload} />}
        <MemberList group={group} onChanged={reload} />
      </section>
    </Stack>
  )
}
