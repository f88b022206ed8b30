import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import { Link, useParams } from 'react-router'

export type MentionProps = {
  id: string
  /** The name with its @. */
  name: string
  isOwn: boolean
}

/** Shows mentions of users. The folder of threads provides it, because it imports this folder. */
export const UserMentionContext = createContext<ComponentType<MentionProps> | null>(null)

/** The name of a user or a group in a text. On pages where users have no card, it only shows who is meant. */
export function Mention(props: MentionProps): ReactNode {
  const { workspaceID } = useParams()
  const UserMention = useContext(UserMentionContext)
  const { id, name } = props
  if (!UserMention) return <span {...mentionAttributes(props)}>{name}</span>
  if (id.startsWith('usr_')) return <UserMention {...props} />
  return (
    <Link to={`/${workspaceID}/groups/${id}`} {...mentionAttributes(props)}>
      {name}
    </Link>
  )
}

export function mentionAttributes({ id, isOwn }: MentionProps) {
  return { dir: 'auto', className: 'mention', 'data-id': id, 'data-own': isOwn || undefined }
}
