import { Menu, UnstyledButton } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link } from 'react-router'
import type { workspaceSwitcher_viewer$key } from '../../../generated/console/workspaceSwitcher_viewer.graphql.ts'
import type { workspaceSwitcher_workspace$key } from '../../../generated/console/workspaceSwitcher_workspace.graphql.ts'
import { Avatar } from '../../page/avatar.tsx'
import { Icon } from '../../page/icon.tsx'
import { Mark } from '../../page/mark.tsx'
import styles from '../sections/sidebar.module.css'

type Props = { viewer: workspaceSwitcher_viewer$key; workspace: workspaceSwitcher_workspace$key }

/** The name of the workspace. If the person has several workspaces, it opens a menu of them. */
export default function WorkspaceSwitcher(props: Props) {
  const { workspaces } = useFragment(
    graphql`fragment workspaceSwitcher_viewer on Viewer { workspaces { workspaceID name avatarURL } }`,
    props.viewer,
  )
  const current = useFragment(
    graphql`fragment workspaceSwitcher_workspace on Workspace { id name avatarURL }`,
    props.workspace,
  )
  const { id, name } = current
  if (!workspaces || workspaces.length < 2)
    return (
      <div className={styles.name}>
        <WorkspacePicture {...current} /> <span className={styles.cut}>{name}</span>
      </div>
    )
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={styles.name} aria-label={`${name}, switch workspace`}>
          <WorkspacePicture {...current} /> <span className={styles.cut}>{name}</span>
          <Icon name="chevronDown" size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {workspaces.map((workspace) => (
          <Menu.Item
            key={workspace.workspaceID}
            component={Link}
            to={`/${workspace.workspaceID}`}
            aria-current={workspace.workspaceID === id || undefined}
            leftSection={<WorkspacePicture {...workspace} id={workspace.workspaceID} />}
            fw={workspace.workspaceID === id ? 700 : undefined}
          >
            {workspace.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

type PictureProps = { id: string; name: string; avatarURL: string | null | undefined }

/** The picture of a workspace if it has one that the web app can show, otherwise the mark of Skein. */
function WorkspacePicture({ id, name, avatarURL }: PictureProps) {
  const url = ownPicture(avatarURL)
  return url === null ? <Mark /> : <Avatar user={{ id, name, kind: 'workspace', avatarURL: url }} size="md" />
}

/** Returns the URL of a picture if this service serves it, or null. The content security policy allows no other hosts. */
function ownPicture(url: string | null | undefined): string | null {
  return url && URL.canParse(url) && new URL(url).origin === location.origin ? url : null
}
