import { plainText } from '../../../text/markdown/plain-text.ts'
import { codeTable } from '../code-table.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../json-values.ts'
import { bold, escapeInline, joinBlocks, joinLines, linkTo, oneLine, plainMarkdown } from '../markdown.ts'
import { closeCode } from '../shorten.ts'
import { mrkdwnMarkdown } from './mrkdwn.ts'
import { asText, decodeEntities, type Mention } from './references.ts'
import { richTextMarkdown } from './rich-text.ts'

const maxColumns = 20

/** Converts one of Slack's blocks. A block of an unknown type becomes the texts and the link that it has. */
export function blockMarkdown(block: unknown, mention: Mention): string {
  const fields = fieldsOf(block)
  switch (fields.type) {
    case 'header':
      return bold(escapeInline(oneLine(labelOf(fields.text))))
    case 'section':
      return sectionMarkdown(fields, mention)
    case 'context':
      return joinLines(
        listOf(fields.elements).map((element) => elementMarkdown(element, mention)),
        ' ',
      )
    case 'actions':
      return linksOf(listOf(fields.elements))
    case 'image':
      return joinLines([escapeInline(oneLine(labelOf(fields.title))), linksOf([block])])
    case 'rich_text':
      return richTextMarkdown(block, mention)
    case 'markdown':
      return withoutMentions(textOf(fields.text))
    default:
      return unknownMarkdown(fields, mention)
  }
}

/** Returns the links of buttons, menus and images. A button without a URL calls the app in Slack, and is left out. */
export function linksOf(elements: readonly unknown[]): string {
  const links = elements.flatMap((element) => {
    const link = linkOf(element)
    return link ? [link] : listOf(fieldsOf(element).options).map(linkOf)
  })
  return links.filter((link) => link !== '').join(' · ')
}

function linkOf(element: unknown): string {
  const { image_url, slack_file, alt_text, title, text, url } = fieldsOf(element)
  const image = textOf(image_url) || textOf(fieldsOf(slack_file).url)
  if (image) return linkTo(textOf(alt_text) || labelOf(title) || 'Image', image)
  return textOf(url) && linkTo(labelOf(text), textOf(url))
}

function sectionMarkdown({ text, fields, accessory }: Fields, mention: Mention): string {
  const facts = listOf(fields).map((field) => inOneLine(textMarkdown(field, mention)))
  return joinBlocks([textMarkdown(text, mention), joinLines(facts), linksOf([accessory])])
}

// The usual field is a bold name and a value below it.
function inOneLine(field: string): string {
  return field.replace(/^(\*\*[^\n]*\*\*:?)\n(?!>|-|```)([^\n]+)$/, '$1 $2')
}

function elementMarkdown(element: unknown, mention: Mention): string {
  return linksOf([element]) || textMarkdown(element, mention)
}

function textMarkdown(text: unknown, mention: Mention, defaultType = 'mrkdwn'): string {
  const isStyled = (fieldsOf(text).type ?? defaultType) === 'mrkdwn'
  return isStyled ? mrkdwnMarkdown(textOf(text), mention) : plainMarkdown(labelOf(text)).trim()
}

function labelOf(text: unknown): string {
  return decodeEntities(textOf(text))
}

// The text is Markdown already.
function withoutMentions(markdown: string): string {
  return closeCode(markdown.replace(/\]\((?![ \t\n]*<?(?:https?|mailto):)/gi, ']\\('))
}

function unknownMarkdown(fields: Fields, mention: Mention): string {
  const { title, text, label, caption, description, hint, alt_text, elements } = fields
  const url = textOf(fields.title_url) || textOf(fields.video_url) || textOf(fields.url)
  const plain = (part: unknown) => textMarkdown(part, mention, 'plain_text')
  return joinBlocks([
    url ? linkTo(labelOf(title), url) : plain(title),
    textMarkdown(text, mention),
    ...[label, caption, description, hint, alt_text].map(plain),
    tableMarkdown(fields),
    joinLines(
      listOf(elements).map((element) => elementMarkdown(element, mention)),
      ' ',
    ),
  ])
}

function tableMarkdown({ rows }: Fields): string {
  return codeTable(listOf(rows).map((row) => listOf(row).slice(0, maxColumns).map(cellText)))
}

function cellText(cell: unknown): string {
  const { type, text, value } = fieldsOf(cell)
  if (type === 'rich_text') return oneLine(plainText(richTextMarkdown(cell, asText), []))
  return oneLine(textOf(text) || textOf(value) || textOf(cell))
}
