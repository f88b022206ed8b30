import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from './process.ts'
import { isTested } from './programs.ts'

export const rulesFile = join(repository, 'docs/deploy/prometheus-alerts.yml')
export const hasPromtool = isTested('promtool')

/** The expression of each rule, by the name of its alert. */
export const rules = new Map(
  readFileSync(rulesFile, 'utf8')
    .split('- alert: ')
    .slice(1)
    .map((rule) => [rule.split('\n')[0] ?? '', /expr: (.*?)\n +(?:for|annotations):/s.exec(rule)?.[1] ?? '']),
)

type Samples = ReadonlyMap<string, number>

/**
 * Returns whether an alert fires if a process had the samples `before` for 20 minutes, and got the samples `after` in the
 * next 10 minutes: a counter grows evenly, a gauge jumps. `isSlow`: a gauge grows evenly for 20 minutes.
 */
export function fires(alert: string, before: Samples, after: Samples, isSlow = false): boolean {
  const names = new Set((rules.get(alert) ?? '').match(/\b(?:skein|nodejs)_\w+/g))
  const series = [...after].flatMap(([sample, value]) => {
    const [name = ''] = sample.split('{')
    if (!names.has(name)) return []
    const from = before.get(sample) ?? 0
    const isCounter = /_(?:total|count)$/.test(name)
    if (name.endsWith('_timestamp_seconds')) return [{ series: sample, values: `${value}x40` }]
    if (isSlow) return [{ series: sample, values: `${from}+${(value - from) / 30}x30` }]
    const growth = isCounter ? `${from}+${(value - from) / 10}x10` : `${value}x10`
    return [{ series: sample, values: `${from}x19 ${growth}` }]
  })
  return holds({
    interval: '1m',
    input_series: series,
    alert_rule_test: [{ eval_time: '30m', alertname: alert }],
  })
}

/** `promtool` expects no alert, and fails if there is one. */
function holds(unit: object): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'skein-rules-'))
  const file = join(folder, 'test.yml')
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], tests: [unit] }))
  try {
    execFileSync('promtool', ['test', 'rules', file], { stdio: 'pipe' })
    return false
  } catch (error) {
    const output = String(Reflect.get(Object(error), 'stdout')) + String(Reflect.get(Object(error), 'stderr'))
    if (/got:\[\s*0:/.test(output)) return true
    throw new Error(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
