import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { SidePanel } from '../../page/dialogs/side-panel.tsx'
import { ThreadsOfGroup } from './threads-of-group.tsx'

type Props = { groupID: string; onClose: () => void }

export default function GroupThreads({ groupID, onClose }: Props) {
  const { workspaceID } = useParams()
  return (
    <SidePanel title="Threads" onClose={onClose}>
      <Button component={Link} to={`/${workspaceID}/new?to=${groupID}`} variant="default" fullWidth mb="sm">
        New thread
      </Button>
      <ThreadsOfGroup groupID={groupID} />
    </SidePanel>
  )
}
