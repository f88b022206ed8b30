import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../support/process.ts'

type Component = { name: string; version: string; licenses?: { license?: { id: string } }[] }

test('the build lists the packages of the service and of the web app, with versions and licences', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(repository, file), 'utf8'))
  const components: Component[] = read('dist/sbom.json').components
  const { packages } = read('package-lock.json')
  for (const name of ['fastify', 'pino', '@electric-sql/pglite', 'react']) {
    const { version } = packages[`node_modules/${name}`]
    const found = components.find((one) => one.name === name && one.version === version)
    expect(found, name).toMatchObject({
      licenses: [{ license: { id: expect.stringMatching(/^(MIT|Apache-2.0)$/) } }],
    })
  }
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([])
})
