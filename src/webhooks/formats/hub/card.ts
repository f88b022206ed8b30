import type { Operation, Settings, State } from '../format.ts'
import { bold, escapeInline, inlineCode, joinBlocks, joinLines, plainMarkdown } from '../markdown.ts'
import { markupMarkdown } from '../markup/markup.ts'
import { senderNameOf } from '../sender-name.ts'
import { linkOr, nameOf } from './names.ts'
import { placeIn, type Topic } from './topic.ts'
import { versionOf } from './version.ts'

/** How far a pull request, a merge request or an issue has come. Of two calls at the same time, the further one counts. */
export type Stage = 'open' | 'closed' | 'merged' | 'gone'

/** The first message of a thread: what each body about a pull request, a merge request or an issue has. */
export type Card = {
  topic: Topic
  title: string
  url: string
  stage: Stage
  /** The stage in words. */
  status: string
  isNew: boolean
  isDraft: boolean
  author: string
  /** Whether the text names the author. GitLab does not name the author in each body. */
  showsAuthor: boolean
  labels: readonly string[]
  branches: readonly string[]
  description: string
  updatedAt: unknown
}

const stages: readonly Stage[] = ['open', 'closed', 'merged', 'gone']
const maxListedLabels = 50

/** Writes the card of a topic. A merge is the only state, because a state cannot be taken back. */
export function cardOperation(card: Card, settings: Settings): Operation {
  const state: State | undefined = card.stage === 'merged' ? 'ok' : undefined
  const { threadState, ...place } = placeIn(card.topic, 'card', settings)
  const thread = settings.groupID === undefined ? { threadState } : { threadClosed: card.stage !== 'open' }
  return {
    ...place,
    ...thread,
    ...senderNameOf(card.author),
    text: cardText(card, Math.min(3000, settings.limits.textCharacters / 4)),
    ...versionOf(card.updatedAt, rankOf(card)),
    ...(state && { state }),
  }
}

/** GitHub's times have only seconds, and a new pull request gets its labels in the second in which it is opened. */
function rankOf({ stage, isNew, labels }: Card): number {
  return stages.indexOf(stage) * 200 + (isNew ? 0 : 100) + Math.min(labels.length, 99)
}

function cardText(card: Card, maxDescription: number): string {
  const { url, labels, branches } = card
  const title = bold(linkOr(nameOf(card.title) || '(no title)', url))
  const facts = [
    card.status,
    card.isDraft ? 'draft' : '',
    card.showsAuthor && card.author ? `by ${plainMarkdown(nameOf(card.author))}` : '',
    branches.map((branch) => inlineCode(nameOf(branch))).join(' → '),
  ]
  const shown = labels.slice(0, maxListedLabels).map((label) => escapeInline(nameOf(label)))
  const head = [
    title,
    facts.filter((fact) => fact !== '').join(' · '),
    shown.length > 0 ? `Labels: ${shown.join(', ')}` : '',
  ]
  return joinBlocks([joinLines(head), markupMarkdown(card.description, Math.floor(maxDescription))])
}
