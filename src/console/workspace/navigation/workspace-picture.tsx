import { Avatar } from '../../page/avatar/avatar.tsx'

type Props = { id: string; name: string; avatarURL: string | null | undefined }

/** The picture of a workspace, if it has one that the web app can show. */
export function WorkspacePicture({ id, name, avatarURL }: Props) {
  const url = ownPicture(avatarURL)
  return url === null ? null : <Avatar user={{ id, name }} isProgram pictureURL={url} />
}

/** Returns the URL of a picture if this service serves it, or null. The content security policy allows no other hosts. */
function ownPicture(url: string | null | undefined): string | null {
  return url && URL.canParse(url) && new URL(url).origin === location.origin ? url : null
}
