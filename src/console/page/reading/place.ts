/** A thread, a message or a group of the open workspace, and the path of its page. */
export type Place = { path: string; id: string; threadID: string | undefined }

const path = /^\/(\w+)\/(?:threads\/(thr_\w+)(?:\/(msg_\w+))?|groups\/(grp_\w+))\/?$/

/** Returns what an address leads to, if it leads to a thread, a message or a group of this workspace. */
export function placeOf(href: string, page: { origin: string; workspaceID: string }): Place | undefined {
  const { origin, pathname } = new URL(href)
  const [, workspaceID, threadID, messageID, groupID] = path.exec(pathname) ?? []
  const id = messageID ?? threadID ?? groupID
  if (id === undefined || origin !== page.origin || workspaceID !== page.workspaceID) return undefined
  return { path: pathname, id, threadID }
}
