import type { Format } from '../format.ts'
import { type Fields, fieldsOf } from '../json-values.ts'
import { isAlertGroup, readAlertGroup } from './alert-group.ts'
import { alertOperations } from './alert-operations.ts'
import { cleanText, webLink } from './alert-text.ts'

/** Reads the body of a webhook of Alertmanager. */
export const alertmanager: Format = {
  name: 'alertmanager',
  recognizes: (body) => isAlertGroup(body) && !('orgId' in fieldsOf(body)),
  read: ({ body, settings }) => {
    const group = readAlertGroup(body, 'Alertmanager')
    const base = baseOf(group.fields.externalURL)
    const alerts = group.alerts.map((alert) => ({ ...alert, links: linksOf(alert.fields, base) }))
    return alertOperations({ ...group, alerts }, settings)
  },
  repeatsOnlyAfter503: true,
}

// A longer address is not a link. The pattern takes quadratic time.
function baseOf(externalURL: unknown): string {
  return cleanText(externalURL).slice(0, 2000).replace(/\/+$/, '')
}

function linksOf({ generatorURL, labels }: Fields, base: string): string[] {
  const matchers = Object.entries(fieldsOf(labels))
    .filter(([, value]) => typeof value === 'string')
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const filter = encodeURIComponent(`{${matchers.join(', ')}}`.toWellFormed())
  // The web pages of Alertmanager read this filter.
  const silenceURL = `${base}/#/silences/new?filter=${filter}`
  return [webLink('source', generatorURL), webLink('silence', silenceURL)]
}
