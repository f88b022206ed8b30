import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { groupHeader_group$key } from '../../generated/console/groupHeader_group.graphql.ts'
import { Header } from '../page/header.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { usePageTitle } from '../page/use-page-title.ts'
import { isolated } from '../text/isolated.ts'
import styles from './group-header.module.css'

// The actions are loaded separately, so that the initial script stays small.
const GroupMenu = lazyPart(() => import('./group-menu.tsx'))
const JoinButton = lazyPart(() => import('./join-button.tsx'))
const LeaveGroup = lazyPart(() => import('./leave-group.tsx'))
const EditGroup = lazyPart(() => import('./editing/edit-group.tsx'))
const GroupMembers = lazyPart(() => import('./members/group-members.tsx'))
const GroupThreads = lazyPart(() => import('./group-threads.tsx'))

export function GroupHeader(props: { group: groupHeader_group$key }) {
  const group = useFragment(
    graphql`
      fragment groupHeader_group on Group {
        id name description isPrivate memberCount viewerRole
        ...groupMenu_group
        ...editGroup_group
        ...leaveGroup_group
      }
    `,
    props.group,
  )
  usePageTitle(isolated(group.name))
  const [shown, setShown] = useState<'threads' | 'members' | 'edit' | 'leave' | null>(null)
  const close = () => setShown(null)
  return (
    <Header>
      <div className={styles.layout}>
        <Group gap="xs" wrap="nowrap" className={styles.title ?? ''}>
          <Title order={1} size="h4" lineClamp={1}>
            {group.name}
          </Title>
          {group.isPrivate && (
            <Badge size="sm" variant="default" tt="none">
              Private
            </Badge>
          )}
        </Group>
        {group.description && (
          <Text size="sm" c="dimmed" lineClamp={1} className={styles.description ?? ''}>
            {isolated(group.description)}
          </Text>
        )}
        <Group gap="xs" wrap="nowrap" className={styles.actions ?? ''}>
          <SmallPart>{!group.viewerRole && <JoinButton groupID={group.id} />}</SmallPart>
          <Button variant="default" size="xs" onClick={() => setShown('threads')}>
            Threads
          </Button>
          <Button variant="default" size="xs" onClick={() => setShown('members')}>
            {group.memberCount === 1 ? '1 member' : `${group.memberCount} members`}
          </Button>
          <SmallPart>
            <GroupMenu group={group} onEdit={() => setShown('edit')} onLeave={() => setShown('leave')} />
          </SmallPart>
        </Group>
      </div>
      {shown && (
        <SmallPart key={shown} onClose={close}>
          {shown === 'threads' && <GroupThreads groupID={group.id} onClose={close} />}
          {shown === 'members' && <GroupMembers groupID={group.id} onClose={close} />}
          {shown === 'edit' && <EditGroup group={group} onClose={close} />}
          {shown === 'leave' && <LeaveGroup group={group} onClose={close} />}
        </SmallPart>
      )}
    </Header>
  )
}
