import { Avatar } from '../../page/avatar/avatar.tsx'
import { ownPicture } from '../../page/avatar/own-picture.ts'

type Props = { id: string; name: string; avatarURL: string | null | undefined }

/** The picture of a workspace, if it has one that the web app can show. */
export function WorkspacePicture({ id, name, avatarURL }: Props) {
  const url = ownPicture(avatarURL)
  return url === null ? null : <Avatar user={{ id, name }} isProgram pictureURL={url} />
}
