import { expect, test } from 'vitest'
import { placeOf } from '../../src/console/page/reading/place.ts'

const page = { origin: 'https://skein.example.com', workspaceID: 'wks_1' }
const placeAt = (path: string) => placeOf(`${page.origin}${path}`, page)

test('the paths of threads, messages and groups are places', () => {
  expect(placeAt('/wks_1/threads/thr_1')).toEqual({
    path: '/wks_1/threads/thr_1',
    id: 'thr_1',
    threadID: 'thr_1',
  })
  expect(placeAt('/wks_1/threads/thr_1/msg_1')).toEqual({
    path: '/wks_1/threads/thr_1/msg_1',
    id: 'msg_1',
    threadID: 'thr_1',
  })
  expect(placeAt('/wks_1/groups/grp_1')).toEqual({
    path: '/wks_1/groups/grp_1',
    id: 'grp_1',
    threadID: undefined,
  })
  expect(placeAt('/wks_1/threads/thr_1/?from=mail#top')?.path).toBe('/wks_1/threads/thr_1/')
})

test('other paths, other workspaces and other services are no places', () => {
  const paths = [
    '/',
    '/wks_1/inbox',
    '/wks_1/groups',
    '/wks_1/groups/new',
    '/wks_1/threads/msg_1',
    '/wks_1/threads/thr_1/thr_2',
    '/wks_2/threads/thr_1',
    '/x/wks_1/threads/thr_1',
  ]
  expect(paths.map(placeAt)).toEqual(paths.map(() => undefined))
  const others = ['http://skein.example.com', 'https://skein.example.com:8443', 'https://skein.example.org']
  expect(others.map((origin) => placeOf(`${origin}/wks_1/threads/thr_1`, page))).toEqual(
    others.map(() => undefined),
  )
})
