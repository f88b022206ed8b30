import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { freePort, newDataDir, repository, runToEnd, startProcess } from '../support/process.ts'

test('docs/metrics.md lists exactly the metrics that a process serves', async () => {
  const port = await freePort()
  const { stop } = await startProcess({ METRICS_PORT: String(port), SKEIN_STARTER: 'off' })
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(await stop()).toBe(0)
  const types = [...text.matchAll(/^# TYPE (skein_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const docs = await readFile(`${repository}/docs/metrics.md`, 'utf8')
  const rows = [...docs.matchAll(/^\| `(skein_\w+)` \| (\w+)/gm)].map(([, name, type]) => `${name} ${type}`)
  expect(rows.toSorted()).toEqual(types.toSorted())
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
})

test('a process whose METRICS_PORT is in use names the setting', async () => {
  const { url, stop } = await startProcess({ SKEIN_STARTER: 'off' })
  const { port } = new URL(url)
  const env = { PORT: String(await freePort()), METRICS_PORT: port, SKEIN_STARTER: 'off' }
  const { code, output } = await runToEnd({ ...env, DATA_DIR: await newDataDir() })
  await stop()
  expect(code).toBe(1)
  expect(output).toContain(`Port ${port} is in use. Set METRICS_PORT to a free port.`)
})
