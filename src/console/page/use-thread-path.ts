import { useParams } from 'react-router'

/** Returns a function that returns the path of a thread. On the page of a group, the list of the group stays beside it. */
export function useThreadPath(): (threadID: string, messageID?: string) => string {
  const { workspaceID, groupID } = useParams()
  const list = groupID === undefined ? '' : `/groups/${groupID}`
  return (threadID, messageID) =>
    `/${workspaceID}${list}/threads/${threadID}${messageID === undefined ? '' : `/${messageID}`}`
}
