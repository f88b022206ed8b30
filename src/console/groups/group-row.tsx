import { Badge, Group, Text } from '@mantine/core'
import { memo } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { groupRow_group$key } from '../../generated/console/groupRow_group.graphql.ts'
import { Icon } from '../page/icon.tsx'
import { Dot } from '../page/unread-mark.tsx'
import { isolated } from '../text/isolated.ts'
import styles from './group-row.module.css'
import { JoinButton } from './join-button.tsx'

/** A group in the list of groups. Memoized, because a long list renders again with each page that it loads. */
export const GroupRow = memo(function GroupRow(props: { group: groupRow_group$key }) {
  const { workspaceID } = useParams()
  const { id, name, description, isPrivate, isMuted, memberCount, viewerRole, hasUnread } = useFragment(
    graphql`
      fragment groupRow_group on Group @argumentDefinitions(withUnread: { type: "Boolean", defaultValue: false }) {
        id name description isPrivate isMuted memberCount viewerRole
        hasUnread @include(if: $withUnread)
      }
    `,
    props.group,
  )
  return (
    <div className={styles.row}>
      <Link className={styles.link ?? ''} to={`/${workspaceID}/groups/${id}`}>
        <Group gap="xs" wrap="nowrap">
          <Text fw={600} truncate>
            {name}
          </Text>
          {isPrivate && <Badge>Private</Badge>}
          {viewerRole && <Badge>Joined</Badge>}
          <Dot label={hasUnread && !isMuted ? 'unread' : null} />
          {isMuted && (
            <span className={styles.muted} role="img" aria-label="muted">
              <Icon name="bellOff" size={16} />
            </span>
          )}
          <Text size="sm" c="dimmed" ms="auto" className={styles.count ?? ''}>
            {memberCount === 1 ? '1 member' : `${memberCount} members`}
          </Text>
        </Group>
        {description && (
          <Text size="sm" c="dimmed" truncate>
            {isolated(description)}
          </Text>
        )}
      </Link>
      {!viewerRole && <JoinButton groupID={id} name={`Join ${name}`} />}
    </div>
  )
})
