import { isBlank } from '../../text/blank.ts'
import { safeURL } from '../../text/markdown/links.ts'
import type { State } from './format.ts'

export type Fields = Readonly<Record<string, unknown>>
export type Pairs = ReadonlyMap<string, string>

/** An alert as Alertmanager or Grafana sends it. `links` are Markdown. */
export type Alert = {
  fields: Fields
  state: State | undefined
  labels: Pairs
  annotations: Pairs
  links: readonly string[]
  values: string
}

const maxListed = 100
const maxURLCharacters = 4000
const descriptions = ['summary', 'description', 'message']
const labelsOfTitle = ['alertname', 'severity']

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

const special = /[\\`*_~[\]<>]/
const inLine = /[\\`*~[\]<>]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g
const startsList = /^[ \t]*(?:[-+]|\d{1,9}\.)/m
const isUsual = /^[!-~](?:[ -~]*[!-~])?$/

/** Returns a JSON value as a text that can be stored. A text that shows nothing, an object or a list becomes ''. */
export function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return ''
  if (isUsual.test(value)) return value
  if (isBlank(value)) return ''
  return value.toWellFormed().replaceAll('\0', '\ufffd').replace(/\r\n?/g, '\n').trim()
}

/** Returns labels or annotations. Leaves out private ones, such as `__dashboardUid__`. */
export function pairsOf(value: unknown): Pairs {
  const pairs = Object.entries(fieldsOf(value)).map(
    ([name, text]) => [oneLine(textOf(name)), textOf(text)] as const,
  )
  return new Map(pairs.filter(([name, text]) => name !== '' && !name.startsWith('__') && text !== ''))
}

export function oneLine(text: string): string {
  return text.replace(/\s\s+|[^\S ]/g, ' ')
}

/** Cuts a text to `max` UTF-16 code units, the last of which is then an ellipsis. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns Markdown that shows a text as it is. Most texts need no change, and a test is faster than replacing. */
function plainMarkdown(text: string): string {
  const escaped = special.test(text) ? text.replace(inLine, '\\$&') : text
  if (!startsList.test(escaped)) return escaped
  return escaped.replace(/^([ \t]*)([-+])/gm, '$1\\$2').replace(/^([ \t]*\d{1,9})\./gm, '$1\\.')
}

/** Returns a link, or '' if the value is not a web address. */
export function linkTo(label: string, url: unknown): string {
  const href = /^https?:/i.test(textOf(url)) && safeURL(textOf(url))
  if (!href || href.length > maxURLCharacters) return ''
  return `[${plainMarkdown(label)}](<${href.replace(/[\\<>]/g, encodeURIComponent)}>)`
}

/** Joins the parts that together have at most `max` characters. */
function joinUpTo(max: number, parts: readonly string[], separator = '\n'): string {
  let joined = ''
  for (const part of parts) {
    const before = joined && separator
    if (part && joined.length + before.length + part.length <= max) joined += before + part
  }
  return joined
}

/** Returns the text of the message about an alert. `note` is a text of the sender about the whole call. */
export function alertText(alert: Alert, note: string, max: number): string {
  const write = (text: string) => plainMarkdown(shorten(text, Math.floor(max / 8)))
  const named = (name: string, text: string) => text && write(`${name}: ${oneLine(text)}`)
  const others = [...alert.annotations].filter(([name]) => !descriptions.includes(name))
  const withLinks = others.map(([name, text]) => ({ name, text, link: linkTo(linkLabel(name), text) }))
  const links = [...withLinks.map(({ link }) => link), ...alert.links]
  const parts = [
    titleOf(alert),
    write(note),
    ...descriptions.map((name) => write(alert.annotations.get(name) ?? '')),
    ...withLinks.map(({ name, text, link }) => (link ? '' : named(name, text))),
    named('Values', alert.values),
    named('Labels', labelsOf([...alert.labels])),
    joinUpTo(max / 4, links, ' · '),
  ]
  return joinUpTo(max, parts) || '…'
}

/** Makes `runbook_url` to "runbook". */
function linkLabel(name: string): string {
  return (
    name
      .replace(/[_-]?ur[li]$/i, '')
      .replace(/[_-]+/g, ' ')
      .trim() || 'link'
  )
}

type ListedAlerts = {
  alerts: readonly Alert[]
  commonLabels: Pairs
  truncated: number
  link: string
  note: string
}

/** Returns the text of the message about all alerts of a call. */
export function listText({ alerts, commonLabels, truncated, link, note }: ListedAlerts, max: number): string {
  const resolved = alerts.filter(({ state }) => state === 'ok')
  const firing = alerts.filter(({ state }) => state !== 'ok')
  const more = truncated > 0 ? `, ${truncated} more left out by the sender` : ''
  const head = `**${alerts.length} ${alerts.length === 1 ? 'alert' : 'alerts'}**: ${firing.length} firing, ${resolved.length} resolved${more}`
  const items = [...firing, ...resolved].slice(0, maxListed).map((alert) => {
    const own = labelsOf([...alert.labels].filter(([name, text]) => commonLabels.get(name) !== text))
    const about = [own, oneLine(alert.annotations.get('summary') ?? '')].filter(Boolean).join(': ')
    return `- ${titleOf(alert)}${about && `: ${plainMarkdown(shorten(about, 200))}`}`
  })
  const list = joinUpTo(max / 2, items)
  const hidden = alerts.length - (list ? list.split('\n').length : 0)
  const parts = [head, plainMarkdown(shorten(note, Math.floor(max / 8))), link, list]
  return joinUpTo(max, [...parts, hidden > 0 ? `- and ${hidden} more` : '']) || '…'
}

function titleOf({ labels, state }: Alert): string {
  const texts = labelsOfTitle.map((name) => shorten(oneLine(labels.get(name) ?? ''), 200))
  const [name = '', severity = ''] = texts.map(plainMarkdown)
  return `**${name || 'Alert'}**${severity && ` (${severity})`}${state === 'ok' ? ', resolved' : ''}`
}

function labelsOf(labels: readonly (readonly [string, string])[]): string {
  const shown = labels.filter(([name]) => !labelsOfTitle.includes(name))
  return shown.map(([name, text]) => `${name}=${oneLine(text)}`).join(', ')
}
