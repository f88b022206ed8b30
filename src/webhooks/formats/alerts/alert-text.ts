import { isBlank } from '../../../text/blank.ts'
import type { State } from '../format.ts'
import { type Fields, fieldsOf, isObject, textOf, withoutNUL } from '../json-values.ts'
import { bold, canLink, linkTo, oneLine, plainMarkdown } from '../markdown.ts'
import { shorten } from '../shorten.ts'

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
const isUsual = /^[!-~](?:[ -~]*[!-~])?$/

/** Returns a JSON value as a text that can be stored. A text that shows nothing, an object or a list becomes ''. */
export function cleanText(value: unknown): string {
  const text = isObject(value) ? '' : textOf(value)
  // Most texts need no change, and a test is faster than replacing.
  if (isUsual.test(text)) return text
  return isBlank(text) ? '' : withoutNUL(text.toWellFormed()).replace(/\r\n?/g, '\n').trim()
}

/** Returns labels or annotations. Leaves out private ones, such as `__dashboardUid__`. */
export function pairsOf(value: unknown): Pairs {
  const pairs = Object.entries(fieldsOf(value)).map(
    ([name, text]) => [oneLine(cleanText(name)), cleanText(text)] as const,
  )
  return new Map(pairs.filter(([name, text]) => name !== '' && !name.startsWith('__') && text !== ''))
}

/** Returns a link, or '' if the value is not a web address. */
export function webLink(label: string, value: unknown): string {
  const url = cleanText(value)
  const isLink = /^https?:/i.test(url) && url.length <= maxURLCharacters && canLink(url)
  return isLink ? linkTo(label, url) : ''
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

/** Returns a text as Markdown. One text takes at most a part of the message, so that others are shown too. */
function writeIn(max: number, text: string): string {
  return plainMarkdown(shorten(text, Math.ceil(max / 8)))
}

/** Returns the text of the message about an alert. `note` is a text of the sender about the whole call. */
export function alertText(alert: Alert, note: string, max: number): string {
  const named = (name: string, text: string) => text && writeIn(max, `${name}: ${oneLine(text)}`)
  const others = [...alert.annotations].filter(([name]) => !descriptions.includes(name))
  const withLinks = others.map(([name, text]) => ({ name, text, link: webLink(linkLabel(name), text) }))
  const links = [...withLinks.map(({ link }) => link), ...alert.links]
  const parts = [
    titleOf(alert),
    writeIn(max, note),
    ...descriptions.map((name) => writeIn(max, alert.annotations.get(name) ?? '')),
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
  const parts = [head, writeIn(max, note), link, list]
  return joinUpTo(max, [...parts, hidden > 0 ? `- and ${hidden} more` : '']) || '…'
}

function titleOf({ labels, state }: Alert): string {
  const texts = labelsOfTitle.map((name) => shorten(oneLine(labels.get(name) ?? ''), 200))
  const [name = '', severity = ''] = texts.map(plainMarkdown)
  return `${bold(name || 'Alert')}${severity && ` (${severity})`}${state === 'ok' ? ', resolved' : ''}`
}

function labelsOf(labels: readonly (readonly [string, string])[]): string {
  const shown = labels.filter(([name]) => !labelsOfTitle.includes(name))
  return shown.map(([name, text]) => `${name}=${oneLine(text)}`).join(', ')
}
