import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { writeCursor } from '../../src/platform/cursors.ts'
import { change, send } from './ask.ts'
import { siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

/** A cursor that an earlier version of the service wrote. */
const expired = writeCursor('events', ['1'])

/**
 * Lets the first stream of each kind begin after a cursor that has expired. Returns the names of the streams that began,
 * and the codes of those that the service ended.
 */
async function expireFirst(page: Page) {
  const [began, ended]: [string[], string[]] = [[], []]
  await page.routeWebSocket(/\/public\/graphql$/, (socket) => {
    const service = socket.connectToServer()
    socket.onMessage((message) => {
      const sent = JSON.parse(String(message))
      const name: string = sent.payload?.operationName
      if (sent.type === 'subscribe' && !began.includes(name)) sent.payload.variables.after = expired
      if (sent.type === 'subscribe') began.push(name)
      service.send(JSON.stringify(sent))
    })
    service.onMessage((message) => {
      const received = JSON.parse(String(message))
      if (received.type === 'error') ended.push(received.payload[0].extensions.code)
      socket.send(message)
    })
  })
  return { began, ended }
}

const side = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name })

test('after a cursor has expired, the streams begin again, and what happened meanwhile is shown', async () => {
  const [ada, grace] = [await visits.signedInAs('ada'), await visits.signedInAs('grace')]
  const [adaID = ''] = site.starter.userIDs
  const addAda = async (name: string) => {
    const { group } = await change(grace, site, 'createGroup', { name }, 'group { id }')
    await change(grace, site, 'addMembers', { groupID: group.id, userIDs: [adaID] })
    return group.id
  }
  const { began, ended } = await expireFirst(ada)
  await ada.goto(`${site.home}/inbox`)
  await side(ada, 'General').waitFor()
  await expect.poll(() => ended).toEqual(['CURSOR_EXPIRED', 'CURSOR_EXPIRED'])
  await addAda('Meanwhile')
  await expect.poll(() => began).toHaveLength(4)
  await side(ada, 'Meanwhile').waitFor()
  const groupID = await addAda('Afterwards')
  await side(ada, 'Afterwards').waitFor()
  await send(grace, site, {
    thread: { recipients: [groupID], subject: 'Live again' },
    message: { text: 'yes' },
  })
  await ada.locator('[data-thread-row][data-unread]').filter({ hasText: 'Live again' }).waitFor()
  expect(began).toHaveLength(4)
})
