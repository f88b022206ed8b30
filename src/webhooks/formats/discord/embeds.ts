import { isBlank } from '../../../text/blank.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../json-values.ts'
import {
  bold,
  canLink,
  escapeInline,
  isBlock,
  italic,
  joinBlocks,
  joinLines,
  linkTo,
  oneLine,
} from '../markdown.ts'
import { discordMarkdown, discordText } from './markdown.ts'

/** Converts an embed: a card with an author, a title, a text, fields, pictures and a footer. */
export function embedMarkdown(embed: unknown): string {
  const { author, title, url, description, fields, footer, timestamp, ...media } = fieldsOf(embed)
  return joinBlocks([
    joinLines([authorOf(author), bold(linked(discordText(textOf(title)), url))]),
    discordMarkdown(textOf(description)),
    joinLines(listOf(fields).map(fieldMarkdown)),
    mediaOf(media),
    italic([plain(fieldsOf(footer).text), timeText(timestamp)].filter((part) => !isBlank(part)).join(' · ')),
  ])
}

/** Returns the colour of an embed in hexadecimal. Discord sends it as a number. */
export function colorOf(embed: unknown): string {
  const color = Number(textOf(fieldsOf(embed).color) || Number.NaN)
  return color >= 0 && color <= 0xffffff ? `#${Math.trunc(color).toString(16).padStart(6, '0')}` : ''
}

function authorOf(author: unknown): string {
  const { name, url } = fieldsOf(author)
  return textOf(name) && linked(oneLine(textOf(name)), url)
}

function plain(value: unknown): string {
  return escapeInline(oneLine(textOf(value)))
}

// A title that is missing is shown as its URL.
function linked(label: string, link: unknown): string {
  const url = textOf(link)
  return canLink(url) ? linkTo(label, url) : escapeInline(label)
}

function fieldMarkdown(field: unknown): string {
  const { name, value } = fieldsOf(field)
  const title = escapeInline(discordText(textOf(name)).replace(/:$/, ''))
  const text = discordMarkdown(textOf(value))
  return isBlank(title) ? text : `**${title}:**${isBlock(text) ? '\n' : ' '}${text}`.trim()
}

// A URL of another scheme names a file of the call, such as attachment://graph.png.
function mediaOf(media: Fields): string {
  const links = ['image', 'thumbnail', 'video'].map((name) => {
    const url = textOf(fieldsOf(media[name]).url)
    return canLink(url) ? linkTo(`${name[0]?.toUpperCase()}${name.slice(1)}`, url) : ''
  })
  return links.filter((link) => link !== '').join(' · ')
}

function timeText(timestamp: unknown): string {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(isoTime(textOf(timestamp))) ?? []
  return date ? `${date} ${time} UTC` : ''
}

function isoTime(text: string): string {
  const time = new Date(text === '' ? Number.NaN : text)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
