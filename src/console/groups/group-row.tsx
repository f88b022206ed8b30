import { Badge, Group, Text } from '@mantine/core'
import { memo } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { groupRow_group$key } from '../../generated/console/groupRow_group.graphql.ts'
import { isolated } from '../text/isolated.ts'
import styles from './group-row.module.css'

/** A group in the list of groups. Memoized, because a long list renders again with each page that it loads. */
export const GroupRow = memo(function GroupRow(props: { group: groupRow_group$key }) {
  const { workspaceID } = useParams()
  const { id, name, description, isPrivate, memberCount, viewerRole } = useFragment(
    graphql`
      fragment groupRow_group on Group { id name description isPrivate memberCount viewerRole }
    `,
    props.group,
  )
  return (
    <Link className={styles.row ?? ''} to={`/${workspaceID}/groups/${id}`}>
      <Group gap="xs" wrap="nowrap">
        <Text fw={600} truncate>
          {name}
        </Text>
        {isPrivate && (
          <Badge size="sm" variant="default" tt="none" flex="none">
            Private
          </Badge>
        )}
        {viewerRole && (
          <Badge size="sm" variant="default" tt="none" flex="none">
            Joined
          </Badge>
        )}
        <Text size="sm" c="dimmed" ms="auto" className={styles.count ?? ''}>
          {memberCount === 1 ? '1 member' : `${memberCount} members`}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" truncate>
        {description ? isolated(description) : 'No description'}
      </Text>
    </Link>
  )
})
