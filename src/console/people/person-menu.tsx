import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { CopyItem } from '../page/copying.tsx'
import { MoreButton } from '../page/show-more.tsx'
import { useViewer } from '../session/viewer.ts'

type Props = { user: { id: string; name: string }; children?: ReactNode }

/** The actions for a person or an app. A link that is copied here opens a new message to this user. */
export function PersonMenu({ user, children }: Props) {
  const { workspaceID } = useParams()
  const viewer = useViewer()
  const path = `/${workspaceID}/new?to=${user.id}`
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <MoreButton aria-label={`Actions for ${user.name}`} />
      </Menu.Target>
      <Menu.Dropdown>
        {user.id !== viewer.id && (
          <Menu.Item component={Link} to={path}>
            Send a message
          </Menu.Item>
        )}
        <CopyItem label="Copy link" text={location.origin + path} />
        <CopyItem label="Copy ID for programs" text={user.id} />
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
