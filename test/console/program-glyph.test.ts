import { expect, test } from 'vitest'
import { glyphOf } from '../../src/console/page/program-glyph.ts'

const app = glyphOf({ name: 'Plain', kind: 'app' })

test('the name of a program chooses its icon', () => {
  expect(glyphOf({ name: 'GitHub', kind: 'webhook' })).toBe(glyphOf({ name: 'my github', kind: 'app' }))
  expect(glyphOf({ name: 'CI', kind: 'app' })).toBe(glyphOf({ name: 'Builds', kind: 'app' }))
  for (const name of ['GitHub', 'CI', 'ci_bot', 'CircleCI', 'On call', 'Alertmanager', 'db_dump', 'MongoDB'])
    expect(glyphOf({ name, kind: 'app' })).not.toBe(app)
})

test('another name has the icon of its kind', () => {
  for (const name of ['Social circle', 'Office buildings', 'Volumetric', 'Webpager'])
    expect(glyphOf({ name, kind: 'app' })).toBe(app)
  expect(glyphOf({ name: 'Plain', kind: 'webhook' })).not.toBe(app)
})
