// Bodies with the fields and the kinds of values that Alertmanager 0.25 and Grafana 11 send.

export type Alert = { status: string | null; [field: string]: unknown }

const unset = '0001-01-01T00:00:00Z'

export const diskFull = {
  status: 'firing',
  labels: { alertname: 'DiskFull', cluster: 'prod', instance: 'web-1', severity: 'critical' },
  annotations: { summary: 'The disk of web-1 is full', runbook_url: 'https://runbooks.example.com/disk' },
  startsAt: '2026-11-26T23:04:47.56Z',
  endsAt: unset,
  generatorURL: 'http://prometheus.example.com/graph?g0.expr=free%28%29+%3C+2&g0.tab=1',
  fingerprint: '2b49542717da04ce',
}

export function resolved(alert: Alert): Alert {
  return { ...alert, status: 'resolved', endsAt: '2026-11-26T23:09:47.56Z' }
}

export function manyAlerts(count: number): Alert[] {
  return Array.from({ length: count }, (_, index) => ({
    ...diskFull,
    labels: { ...diskFull.labels, instance: `web-${index}` },
    fingerprint: index.toString(16).padStart(16, '0'),
  }))
}

export function nulls(fields: object): Record<string, null> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null]))
}

export function alertmanagerBody(alerts: readonly Alert[], changes: object = {}) {
  const isFiring = alerts.some(({ status }) => status === 'firing')
  return {
    receiver: 'chat',
    status: isFiring ? 'firing' : 'resolved',
    alerts,
    groupLabels: { alertname: 'DiskFull', cluster: 'prod' },
    commonLabels: { alertname: 'DiskFull', cluster: 'prod', severity: 'critical' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com',
    version: '4',
    groupKey: '{}:{alertname="DiskFull", cluster="prod"}',
    truncatedAlerts: 0,
    ...changes,
  }
}

export const longQueue = {
  status: 'firing',
  labels: { alertname: 'Queue is long', grafana_folder: 'Shop', severity: 'warning' },
  annotations: { summary: 'Mails wait' },
  startsAt: '2026-11-26T10:20:00+01:00',
  endsAt: unset,
  generatorURL: 'https://grafana.example.com/alerting/grafana/cdeqmlhvflz40f/view?orgId=1',
  fingerprint: 'c6eadffa33fcdf37',
  silenceURL: 'https://grafana.example.com/alerting/silence/new?alertmanager=grafana&orgId=1',
  dashboardURL: 'https://grafana.example.com/d/shop?from=1795680000000&orgId=1&to=1795687260123',
  panelURL: 'https://grafana.example.com/d/shop?from=1795680000000&orgId=1&to=1795687260123&viewPanel=4',
  values: { A: 1204.5, C: 1 },
  valueString: "[ var='A' labels={} value=1204.5 ], [ var='C' labels={} value=1 ]",
}

export function grafanaBody(alerts: readonly Alert[], changes: object = {}) {
  const isFiring = alerts.some(({ status }) => status === 'firing')
  return {
    receiver: 'chat',
    status: isFiring ? 'firing' : 'resolved',
    alerts,
    groupLabels: { alertname: 'Queue is long', grafana_folder: 'Shop' },
    commonLabels: longQueue.labels,
    commonAnnotations: longQueue.annotations,
    externalURL: 'https://grafana.example.com/',
    version: '1',
    groupKey: '{}/{team="shop"}:{alertname="Queue is long", grafana_folder="Shop"}',
    truncatedAlerts: 0,
    orgId: 1,
    title: `[${isFiring ? 'FIRING:1' : 'RESOLVED'}] Queue is long Shop (warning)`,
    state: isFiring ? 'alerting' : 'ok',
    message: `**${isFiring ? 'Firing' : 'Resolved'}**\n\nValue: A=1204.5, C=1\nLabels:\n - alertname = Queue is long\n`,
    ...changes,
  }
}
