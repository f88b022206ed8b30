import { isBlank } from '../../../text/blank.ts'
import { type Fields, fieldsOf, listOf, textOf, timeOf } from '../json-values.ts'
import { bold, isBlock, italic, joinBlocks, joinLines, linkTo, oneLine } from '../markdown.ts'
import { blockMarkdown, linksOf } from './blocks.ts'
import { mrkdwnMarkdown, unstyledMarkdown } from './mrkdwn.ts'
import { codeText, unstyledLine } from './mrkdwn-line.ts'
import { asText, type Mention } from './references.ts'

/** Converts an attachment. Its fallback is shown only if nothing else is. */
export function attachmentMarkdown(attachment: unknown, mention: Mention): string {
  const fields = fieldsOf(attachment)
  const markdown = joinBlocks([
    ownText(fields, 'pretext', mention),
    headOf(fields),
    ownText(fields, 'text', mention),
    joinLines(listOf(fields.fields).map((field) => fieldMarkdown(field, fields, mention))),
    ...listOf(fields.blocks).map((block) => blockMarkdown(block, mention)),
    imagesOf(fields),
    linksOf(listOf(fields.actions)),
    footOf(fields),
  ])
  return markdown || unstyledMarkdown(textOf(fields.fallback), asText).trim()
}

// Slack styles only the texts that `mrkdwn_in` names, or all of them if it is left out.
function styled(source: string, name: string, { mrkdwn_in }: Fields, mention: Mention): string {
  const isStyled = !Array.isArray(mrkdwn_in) || mrkdwn_in.includes(name)
  return isStyled ? mrkdwnMarkdown(source, mention) : unstyledMarkdown(source, mention).trim()
}

function ownText(fields: Fields, name: 'pretext' | 'text', mention: Mention): string {
  return styled(textOf(fields[name]), name, fields, mention)
}

function headOf(fields: Fields): string {
  const author = linkedLine(fields.author_name, fields.author_link)
  const about = plainLine(fields.author_subname)
  const title = bold(linkedLine(fields.title, fields.title_link))
  return joinLines([[author, about].filter(Boolean).join(' '), title])
}

function linkedLine(text: unknown, link: unknown): string {
  const url = textOf(link)
  return url ? linkTo(codeText(oneLine(textOf(text))), url) : plainLine(text)
}

// References in a name, a title or a footer become links and names, but mention nobody.
function plainLine(text: unknown): string {
  return unstyledLine(oneLine(textOf(text)), asText)
}

function fieldMarkdown(field: unknown, attachment: Fields, mention: Mention): string {
  const { title, value } = fieldsOf(field)
  const name = plainLine(title).replace(/:$/, '')
  const text = styled(textOf(value), 'fields', attachment, mention)
  return name ? `**${name}:**${isBlock(text) ? '\n' : ' '}${text}`.trim() : text
}

function imagesOf({ image_url, thumb_url }: Fields): string {
  const image = textOf(image_url) && linkTo('Image', textOf(image_url))
  const thumbnail = textOf(thumb_url) && linkTo('Thumbnail', textOf(thumb_url))
  return [image, thumbnail].filter(Boolean).join(' · ')
}

function footOf({ footer, ts }: Fields): string {
  return italic([plainLine(footer), timeOf(ts)].filter((part) => !isBlank(part)).join(' · '))
}
