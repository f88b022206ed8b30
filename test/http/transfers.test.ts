import { expect, test } from 'vitest'
import { makeWorld, postToWebhook, requestToken, uploadToWebhook } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import { askForTicket, attach, createFile, download, putBytes, uploadByTicket } from '../support/uploads.ts'

const service = await startService({ UPLOAD_RATE_PER_MINUTE: '2', DOWNLOAD_RATE_PER_MINUTE: '2' })

const limitsOf = ({ statusCode, headers }: Awaited<ReturnType<typeof requestToken>>) => ({
  statusCode,
  policy: headers['ratelimit-policy'],
  left: headers.ratelimit,
  retry: headers['retry-after'],
})
const seconds = expect.stringMatching(/^\d+$/)

test('uploads by webhook have a limit for each webhook, in addition to the limit of its posts', async () => {
  const world = await makeWorld(service)
  const upload = async () => limitsOf(await uploadToWebhook(service, world.webhook.path, 'x'))
  const policy = '"webhook";q=6000;w=60, "upload";q=2;w=60'
  expect(await upload()).toMatchObject({
    statusCode: 200,
    policy,
    left: '"webhook";r=5999;t=60, "upload";r=1;t=60',
  })
  await upload()
  expect(await upload()).toMatchObject({
    statusCode: 429,
    left: expect.stringContaining('"upload";r=0;t='),
    retry: seconds,
  })
  const posted = await postToWebhook(service, world.webhook.path, { target: world.publicGroup.id, text: 'x' })
  expect(limitsOf(posted)).toMatchObject({ statusCode: 200, policy: '"webhook";q=6000;w=60' })
})

test('uploads by ticket have a limit for each app, and a refused upload keeps its ticket', async () => {
  const { app } = await makeWorld(service)
  const tickets = await Promise.all(['a', 'b', 'c'].map((bytes) => askForTicket(service, app.token, bytes)))
  const [first, second, third] = tickets
  if (!first || !second || !third) throw new Error('Three tickets are needed')
  expect(limitsOf(await putBytes(service, first, 'a'))).toMatchObject({
    statusCode: 200,
    policy: '"upload";q=2;w=60',
    left: '"upload";r=1;t=60',
  })
  await putBytes(service, second, 'b')
  expect(limitsOf(await putBytes(service, third, 'c'))).toMatchObject({ statusCode: 429, retry: seconds })
  const { errors } = await createFile(service, app.token, third.id)
  expect(errors?.[0]?.extensions.errors).toMatchObject([{ field: 'uploadTicketID' }])
})

test('an upload URL is valid only for the user who requested it', async () => {
  const { app, ada } = await makeWorld(service)
  const ticket = await askForTicket(service, app.token, 'x')
  const url = new URL(ticket.url)
  url.searchParams.set('user', ada.id)
  expect((await putBytes(service, { url: url.href }, 'x')).statusCode).toBe(403)
})

test('downloads have a limit for the user of the link', async () => {
  const { app, publicGroup } = await makeWorld(service)
  const file = await uploadByTicket(service, app.token, 'bytes')
  await attach(service, app.token, publicGroup.id, [file.id])
  const policy = '"download";q=2;w=60'
  expect(limitsOf(await download(service, file))).toMatchObject({
    statusCode: 200,
    policy,
    left: '"download";r=1;t=60',
  })
  await download(service, file, {}, 'HEAD')
  expect(limitsOf(await download(service, file))).toMatchObject({ statusCode: 429, policy, retry: seconds })
})

test('token requests return the quota that is left, even if the requests are not valid', async () => {
  const { app } = await makeWorld(service)
  const left = expect.stringMatching(/^"token";r=59\d\d;t=\d+$/)
  expect(limitsOf(await requestToken(service, app.form))).toMatchObject({ statusCode: 200, left })
  expect(limitsOf(await requestToken(service, {}))).toMatchObject({ statusCode: 400, left })
})
