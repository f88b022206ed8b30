import { Group, Title } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { groupHeader_group$key } from '../../generated/console/groupHeader_group.graphql.ts'
import { Header, IconLink } from '../page/header.tsx'
import { Icon } from '../page/icon.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { useSide } from '../page/side-column.ts'
import { usePageTitle } from '../page/use-page-title.ts'
import { isolated } from '../text/isolated.ts'
import styles from './group-page.module.css'
import { JoinButton } from './join-button.tsx'

const GroupMenu = lazyPart(() => import('./group-menu.tsx'))
const LeaveGroup = lazyPart(() => import('./leave-group.tsx'))

type Props = {
  group: groupHeader_group$key
  order: 1 | 2
  /** Whether no thread is open, whose page would set the title of the tab. */
  isPage: boolean
  onMarkAllRead: () => void
}

/** What a group is, and what a person can do with it. */
export function GroupHeader({ order, isPage, onMarkAllRead, ...props }: Props) {
  const { workspaceID } = useParams()
  const group = useFragment(
    graphql`
      fragment groupHeader_group on Group {
        id name description isPrivate isMuted memberCount viewerRole
        ...groupMenu_group
        ...leaveGroup_group
      }
    `,
    props.group,
  )
  const [isLeaving, setLeaving] = useState(false)
  const { open } = useSide()
  return (
    <>
      {isPage && <GroupTitle name={group.name} />}
      <Header>
        <Group gap={6} wrap="nowrap" miw={0}>
          <Title order={order} size="h2" dir="auto" className={styles.name ?? ''}>
            {group.name}
          </Title>
          {group.isPrivate && (
            <span className={styles.mark} role="img" aria-label="Private">
              <Icon name="lock" size={16} />
            </span>
          )}
          {group.isMuted && (
            <span className={styles.mark} role="img" aria-label="Muted">
              <Icon name="bellOff" size={16} />
            </span>
          )}
        </Group>
        <Group gap={4} wrap="nowrap">
          {!group.viewerRole && <JoinButton groupID={group.id} />}
          <IconLink to={`/${workspaceID}/new?to=${group.id}`} icon="newThread" label="New thread" />
          <SmallPart>
            <GroupMenu
              group={group}
              onEdit={() => open({ kind: 'edit', id: group.id })}
              onLeave={() => setLeaving(true)}
              onMarkAllRead={onMarkAllRead}
            />
          </SmallPart>
        </Group>
      </Header>
      <div className={styles.about}>
        <button
          type="button"
          className={styles.members}
          onClick={() => open({ kind: 'group', id: group.id })}
        >
          {membersText(group)}
        </button>
        {group.description && (
          <span className={styles.description} dir="auto" title={group.description}>
            {group.description}
          </span>
        )}
      </div>
      {isLeaving && (
        <SmallPart onClose={() => setLeaving(false)}>
          <LeaveGroup group={group} onClose={() => setLeaving(false)} />
        </SmallPart>
      )}
    </>
  )
}

type Members = { memberCount?: number | null | undefined; viewerRole?: string | null | undefined }

/** A person who has created a group is alone in it. */
function membersText({ memberCount, viewerRole }: Members): string {
  if (memberCount !== 1) return `${memberCount} members`
  return viewerRole ? '1 member · Add people' : '1 member'
}

/** Sets the title of the tab to the name of the group. */
function GroupTitle({ name }: { name: string }) {
  usePageTitle(isolated(name))
  return null
}
