import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { groupHeader_group$key } from '../../generated/console/groupHeader_group.graphql.ts'
import { usePageTitle } from '../workspace/page-title.ts'
import { GroupMenu } from './group-menu.tsx'
import { JoinButton } from './join-button.tsx'

const EditGroup = lazy(() => import('./edit-group.tsx'))
const GroupMembers = lazy(() => import('./group-members.tsx'))

/** The name of a group, and what a person can do with it. */
export function GroupHeader(props: { group: groupHeader_group$key }) {
  const group = useFragment(
    graphql`
      fragment groupHeader_group on Group {
        id name description isPrivate memberCount viewerRole
        ...groupMenu_group
        ...editGroup_group
      }
    `,
    props.group,
  )
  usePageTitle(group.name)
  const [shown, setShown] = useState<'members' | 'edit' | null>(null)
  const close = () => setShown(null)
  return (
    <Group component="header" px="md" py="xs" justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Group gap="xs" wrap="nowrap">
          <Title order={1} size="h4" lineClamp={1}>
            {group.name}
          </Title>
          {group.isPrivate && (
            <Badge size="sm" variant="default" tt="none">
              Private
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" lineClamp={1}>
          {group.description}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {!group.viewerRole && <JoinButton groupID={group.id} />}
        <Button variant="default" size="xs" onClick={() => setShown('members')}>
          {group.memberCount === 1 ? '1 member' : `${group.memberCount} members`}
        </Button>
        <GroupMenu group={group} onEdit={() => setShown('edit')} />
      </Group>
      <Suspense>
        {shown === 'members' && <GroupMembers groupID={group.id} onClose={close} />}
        {shown === 'edit' && <EditGroup group={group} onClose={close} />}
      </Suspense>
    </Group>
  )
}
