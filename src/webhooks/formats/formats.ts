import { alertmanager } from './alertmanager.ts'
import type { Format } from './format.ts'
import { grafana } from './grafana.ts'
import { json } from './json.ts'
import { slack } from './slack.ts'

/** The formats of other systems, each with the URL `<webhook URL>/<name>`. The first that recognizes a body counts. */
export const formats: readonly Format[] = [grafana, alertmanager, slack, json]
