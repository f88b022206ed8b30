import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../src/workspaces/create-workspace.ts'
import { createPerson } from '../../../src/workspaces/users/create-user.ts'
import { redirectURI, requestToken, tokenForm } from '../../support/factories.ts'
import { operatorToken, startService } from '../../support/service.ts'
import { commandLine } from './command-line.ts'

const service = await startService()
const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
const skein = commandLine(url, operatorToken)

const operator = () => service.contextOf({ kind: 'operator' })
const newWorkspace = async () => (await createWorkspace(operator(), { name: 'Workshop' })).id
const person = async (workspaceID: string, name: string) =>
  (await createPerson(operator(), { workspaceID, name })).id

describe('the command line', () => {
  test('creates, updates and lists workspaces', async () => {
    const made = await skein.json('workspaces create Lab --email-domain lab.example --custom-apps off')
    expect(made).toMatchObject({ name: 'Lab', emailDomain: 'lab.example', customAppsEnabled: false })
    const changes =
      '--name Laboratory --no-email-domain --custom-apps on --avatar-url https://lab.example/a.png'
    expect(await skein.json(`workspaces update ${made.id} ${changes}`)).toMatchObject({
      name: 'Laboratory',
      emailDomain: null,
      customAppsEnabled: true,
      avatarURL: 'https://lab.example/a.png',
    })
    const table = (await skein.text('workspaces list')).split('\n')
    expect(table[0]).toMatch(/^ID +Name +Custom apps +Email domain +Created +Avatar$/)
    expect(table.find((line) => line.startsWith(made.id))).toMatch(/ {2}Laboratory +yes +- /)
  })

  test('creates, updates and deletes users, and lists more than a hundred of them', async () => {
    const workspaceID = await newWorkspace()
    const hostile = '\u001b[31mred\u001b[0m\u202e\n日本'
    const inWorkspace = `--workspace ${workspaceID}`
    const made = await skein.json([
      'users',
      'create',
      hostile,
      '--email',
      'red@example.com',
      '--workspace',
      workspaceID,
    ])
    expect(made).toMatchObject({ name: hostile, kind: 'person', deletedAt: null })
    const gone = await person(workspaceID, 'Grace')
    expect(await skein.text(`users update Grace --name Hopper --no-email ${inWorkspace}`)).toMatch(
      /^Name +Hopper$/m,
    )
    expect(await skein.text(`users delete ${gone} --yes ${inWorkspace}`)).toMatch(/^Deleted +20/m)
    for (let count = 0; count < 101; count++) await person(workspaceID, `Person ${count}`)
    const listed = (await skein.text(`users list ${inWorkspace}`)).trimEnd().split('\n')
    expect(listed).toHaveLength(1 + 102)
    expect(listed[1]).toMatch(/\\u001b\[31mred\\u001b\[0m\\u202e\\u000a日本 +red@example\.com$/)
    expect(listed.at(-1)).toMatch(/Person 100 +-$/)
  })

  test('lists deleted people, and restores a person by email address, name or ID', async () => {
    const inWorkspace = `--workspace ${await newWorkspace()}`
    const users = (command: string) => skein.json(`users ${command} ${inWorkspace}`)
    const made = await users('create Bob --email bob@example.com')
    await users('create Ada')
    for (const reference of ['Bob@example.com', 'bob', made.id]) {
      await users('delete bob@example.com --yes')
      expect(await users('list --deleted')).toEqual([{ ...made, deletedAt: expect.any(String) }])
      expect(await users(`restore ${reference}`)).toEqual(made)
    }
    expect(await users('list --deleted')).toEqual([])
    expect(await users('list')).toContainEqual(made)
    await expect(users('restore Ada')).rejects.toThrow(
      'No deleted user has the ID, name or email address "Ada".',
    )
    await users('delete Bob --yes')
    expect(await skein.text(`users list --deleted ${inWorkspace}`)).toMatch(
      / Deleted\n.* Bob +bob@example\.com +20/,
    )
  })

  test('invites a new person for the address of a deleted person only with --as-new-person', async () => {
    const inWorkspace = `--workspace ${await newWorkspace()}`
    const users = (command: string) => skein.json(`users ${command} ${inWorkspace}`)
    const made = await users('create Eve --email eve@example.com')
    await users('delete Eve --yes')
    const refused = await skein.spawned(`users invite eve@example.com ${inWorkspace}`)
    expect({ ...refused, stderr: refused.stderr.split('\n') }).toEqual({
      code: 1,
      stdout: '',
      stderr: [
        'The server refused the request:',
        '  email is the address of Eve, who was deactivated. Restore this person, or invite a new person',
        'To restore the person, run: users restore <email>',
        'To invite a new person, add --as-new-person to the command.',
        '',
      ],
    })
    const invited = await users('invite eve@example.com --as-new-person')
    expect(invited).toMatchObject({
      email: 'eve@example.com',
      invitationURL: expect.stringContaining('/link/'),
    })
    expect(invited.id).not.toBe(made.id)
    await expect(users('restore eve@example.com')).rejects.toThrow(
      'email is already the email address of a person in the workspace',
    )
    await users('delete Eve --yes')
    await expect(users('restore eve@example.com')).rejects.toThrow(
      /^Several deleted users are called "eve@example.com". Use the ID:\n/,
    )
  })

  test('invites several people, lists the invitations, and revokes one', async () => {
    const inWorkspace = `--workspace ${await newWorkspace()}`
    const users = (command: string) => skein.json(`users ${command} ${inWorkspace}`)
    const link = expect.stringContaining('/signin/link/')
    const results = await users('invite-all bob@example.com none Carol@example.com')
    expect(results).toMatchObject([
      { email: 'bob@example.com', invitationURL: link, problem: null },
      { email: 'none', user: null, problem: { code: 'INVALID_INPUT' } },
      { email: 'Carol@example.com', invitationURL: link, problem: null },
    ])
    await expect(users('invite-all none neither')).rejects.toThrow(
      /^Email .*\nnone .*must be an email address/,
    )
    const invited = async () =>
      (await users('invitations')).map(({ user }: { user: { email: string } }) => user.email)
    expect(await invited()).toEqual(['bob@example.com', 'Carol@example.com'])
    expect(await skein.text(`users invitations ${inWorkspace}`)).toMatch(
      /^ID .* Email .* Invited by .* Expires\n/,
    )
    await expect(users('revoke-invitation Bob')).rejects.toThrow('Add --yes to confirm.')
    expect(await users('revoke-invitation Bob --yes')).toMatchObject({ id: results[0].user.id })
    expect(await invited()).toEqual(['Carol@example.com'])
    await expect(users('mail-signin-link Carol')).rejects.toThrow('This service cannot send mail.')
  })

  test('creates, tests and deletes event endpoints, and shows and repeats deliveries', async () => {
    const workspaceID = await newWorkspace()
    const inWorkspace = `--workspace ${workspaceID}`
    await skein.json(`apps create Bot --redirect-uri ${redirectURI} ${inWorkspace}`)
    await skein.json(`webhooks create Pipeline ${inWorkspace}`)
    const target = 'https://receiver.example.com/hook'
    const made = await skein.json(`endpoints create Bot ${target} --type messageCreated ${inWorkspace}`)
    expect(made).toMatchObject({
      url: target,
      types: ['messageCreated'],
      secret: expect.stringMatching(/^whsec_/),
    })
    const own = await skein.json(`endpoints create-for-webhook Pipeline ${target} ${inWorkspace}`)
    const listed = await skein.json(`endpoints list ${inWorkspace}`)
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([made.id, own.id])
    const changed = await skein.json(`endpoints update ${made.id} --to ${target}/2 --no-type`)
    expect(changed).toMatchObject({ id: made.id, url: `${target}/2`, types: null })
    const rotated = await skein.json(`endpoints rotate-secret ${made.id}`)
    expect(rotated.secret).not.toBe(made.secret)
    expect(await skein.json(`endpoints disable ${made.id}`)).toMatchObject({ state: 'disabled' })
    expect(await skein.json(`endpoints enable ${made.id}`)).toMatchObject({ state: 'active' })
    const tested = await skein.json(`endpoints test ${made.id}`)
    expect(await skein.json(`deliveries list ${made.id} --status pending`)).toMatchObject([
      { id: tested.id, type: null },
    ])
    expect(await skein.json(`deliveries list ${made.id} --status failed`)).toEqual([])
    expect(await skein.text(`deliveries show ${tested.id}`)).toMatch(/^Attempt +Started +Milliseconds/m)
    expect(await skein.json(`deliveries replay ${tested.id}`)).toMatchObject({ status: 'pending' })
    const again = await skein.json(`endpoints test ${made.id}`)
    const newestFirst = await skein.json(`deliveries list ${made.id}`)
    expect(newestFirst.map(({ id }: { id: string }) => id)).toEqual([again.id, tested.id])
    expect(await skein.text(`deliveries skip ${tested.id}`)).toMatch(/^Status +skipped$/m)
    expect(await skein.json(`deliveries list ${made.id} --status skipped`)).toMatchObject([{ id: tested.id }])
    await expect(skein.text('deliveries skip dlv_1')).rejects.toThrow(/^The delivery does not exist, or/)
    await expect(skein.text('deliveries skip Bot')).rejects.toThrow('deliveries list <endpoint>')
    expect(await skein.json(`deliveries replay-all ${made.id} --failed`)).toEqual({ deliveryCount: 0 })
    expect(await skein.json('endpoints reencrypt')).toEqual({
      endpointCount: 2,
      webhookCount: 0,
      failedCount: 0,
    })
    expect(await skein.json(`endpoints delete ${made.id} --yes`)).toEqual({ removedEventEndpointID: made.id })
    expect(await skein.spawned('endpoints enable Bot')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No endpoint has the ID "Bot". List the IDs with: endpoints list\n',
    })
  })

  test('creates, updates and lists groups and their members', async () => {
    const workspaceID = await newWorkspace()
    const ada = await person(workspaceID, 'Ada')
    await person(workspaceID, 'Grace')
    const inWorkspace = `--workspace ${workspaceID}`
    const group = await skein.json(`groups create Leads --private --description Secret ${inWorkspace}`)
    expect(group).toMatchObject({ name: 'Leads', isPrivate: true, description: 'Secret' })
    const changed = await skein.json(`groups update leads --no-private --no-description ${inWorkspace}`)
    expect(changed).toMatchObject({ name: 'Leads', isPrivate: false, description: null })
    const groups = await skein.json(`groups list ${inWorkspace}`)
    const general = { id: `grp_${workspaceID.slice(4)}`, isGeneral: true }
    expect(groups).toEqual([expect.objectContaining(general), changed])
    expect(await skein.json(`members add Leads ${ada} Grace ${inWorkspace}`)).toEqual(changed)
    await skein.text(`members remove ${group.id} Grace ${inWorkspace}`)
    const set = await skein.json(`members set-role Leads Ada admin ${inWorkspace}`)
    expect(set).toMatchObject({ node: { id: ada, name: 'Ada' }, role: 'admin' })
    expect(await skein.json(`members list Leads ${inWorkspace}`)).toEqual([
      expect.objectContaining({ id: ada, name: 'Ada', role: 'admin', joinedAt: set.joinedAt }),
    ])
    expect(await skein.text(`members set-role Leads ${ada} member ${inWorkspace}`)).toMatch(/^Role +member$/m)
    expect(await skein.text(`members list Leads ${inWorkspace}`)).toMatch(/^ID .* Role +Joined$/m)
  })

  test('creates, updates, installs, lists and deletes apps, and prints only new secrets', async () => {
    const [workspaceID, other] = [await newWorkspace(), await newWorkspace()]
    const options = `--redirect-uri ${redirectURI} --redirect-uri https://b.example/cb --scope threads:read`
    const made = await skein.text(`apps create ${options} Robot --workspace ${workspaceID}`)
    expect(made).toMatch(/^Client secret +\S{43}$[\s\S]*not shown again/m)
    const clientID = /app_\w+/.exec(made)?.[0] ?? ''
    const { clientSecret, id } = await skein.json(`apps rotate-secret ${clientID}`)
    expect(made).not.toContain(clientSecret)
    expect(id).toBe(clientID)
    const answer = await requestToken(service, tokenForm({ workspaceID, clientID, clientSecret }))
    expect(answer.statusCode).toBe(200)
    expect(await skein.json(`apps revoke-tokens Robot --workspace ${workspaceID}`)).toEqual({
      revokedCount: 1,
    })
    const renamed = await skein.json(`apps update ${clientID} --name Android --redirect-uri ${redirectURI}`)
    expect(renamed).toMatchObject({ name: 'Android', redirectURIs: [redirectURI] })
    const installed = await skein.json(`apps install ${clientID} --scope groups:read --workspace ${other}`)
    expect(installed).toMatchObject({ app: { id: clientID }, scopes: ['groups:read'] })
    expect(await skein.json(`installations list --workspace ${other}`)).toEqual([installed])
    expect(await skein.text(`apps uninstall ${clientID} --yes --workspace ${other}`)).toContain('Android')
    const listed = await skein.text(`apps list --workspace ${workspaceID}`)
    expect(listed).toContain(clientID)
    expect(listed).not.toContain(clientSecret)
    expect(await skein.json(`apps delete Android --yes --workspace ${workspaceID}`)).toMatchObject({
      id,
      deletedAt: expect.any(String),
    })
  })

  test('lists, deactivates and reactivates accounts', async () => {
    await createPerson(operator(), {
      workspaceID: await newWorkspace(),
      name: 'Owner',
      email: 'account@example.com',
    })
    const link = await skein.text('signin-link Account@Example.com')
    await fetch(new URL(new URL(link.trim()).pathname, url), {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    })
    const own = { email: 'account@example.com', isVerified: true }
    expect(await skein.json('accounts list')).toContainEqual(
      expect.objectContaining({ ...own, deactivatedAt: null }),
    )
    await expect(skein.text('accounts deactivate account@example.com')).rejects.toThrow(
      /^Deactivate the account and end its sessions\? Add --yes to confirm\.$/,
    )
    const changed = await skein.json('accounts deactivate account@example.com --yes')
    expect(changed).toMatchObject({ ...own, deactivatedAt: expect.any(String) })
    expect(await skein.json('accounts reactivate account@example.com')).toMatchObject({ deactivatedAt: null })
    await expect(skein.text('accounts deactivate nobody@example.com --yes')).rejects.toThrow('account')
  })

  test('creates, lists and revokes operator tokens, and prints only new ones', async () => {
    const made = await skein.text('operator-tokens create Grace --days 30')
    const [token = ''] = /skop_[\w-]{43}/.exec(made) ?? []
    const other = commandLine(url, token)
    const [listed] = await other.json('operator-tokens list')
    expect(listed).toMatchObject({
      name: 'Grace',
      expiresAt: expect.any(String),
      lastUsedAt: expect.any(String),
    })
    expect(JSON.stringify(listed)).not.toContain(token)
    expect(await skein.json('operator-tokens revoke Grace --yes')).toMatchObject({ name: 'Grace' })
    await expect(other.text('operator-tokens list')).rejects.toThrow('rejected the operator token')
  })

  test('creates public and listed apps, and changes whether an app is listed', async () => {
    const workspaceID = await newWorkspace()
    const inWorkspace = `--workspace ${workspaceID}`
    const command = `apps create Mobile --redirect-uri ${redirectURI} --public --listed ${inWorkspace}`
    const made = await skein.json(command)
    expect(made).toMatchObject({ isPublic: true, isListed: true, clientSecret: null })
    expect(await skein.json(`apps update ${made.id} --unlisted`)).toMatchObject({ isListed: false })
    expect(await skein.json(`apps update ${made.id} --name Phone`)).toMatchObject({ isListed: false })
    expect(await skein.json(`apps update ${made.id} --description Calls`)).toMatchObject({
      description: 'Calls',
    })
    expect(await skein.json(`apps update ${made.id} --no-description`)).toMatchObject({ description: null })
    expect(await skein.json(`apps update Phone --listed ${inWorkspace}`)).toMatchObject({ isListed: true })
    const plain = await skein.text(`apps create Plain --redirect-uri ${redirectURI} ${inWorkspace}`)
    expect(plain).toMatch(/^Public +no\nListed +no$/m)
    const text = await skein.text(`apps create Other --redirect-uri ${redirectURI} --public ${inWorkspace}`)
    expect(text).toMatch(/^Public +yes\nListed +no$/m)
    expect(text).not.toContain('Save the client secret')
    await expect(skein.text(`apps rotate-secret ${made.id}`)).rejects.toThrow('public app')
  })

  test('creates, changes, disables, enables, lists and deletes webhooks, and prints only new URLs', async () => {
    const workspaceID = await newWorkspace()
    const { id, url } = await skein.json(
      `webhooks create Pipeline --description Builds --workspace ${workspaceID}`,
    )
    const rotated = await skein.text(`webhooks rotate-key pipeline --workspace ${workspaceID}`)
    expect(rotated).toMatch(/^URL +http\S+\/webhook\/\S+$[\s\S]*not shown again/m)
    expect(rotated).not.toContain(url)
    const overlapping = await skein.json(`webhooks rotate-key ${id} --overlap-hours 2`)
    expect(overlapping).toMatchObject({
      url: expect.any(String),
      previousKeyEndsAt: expect.stringMatching(/^20/),
    })
    expect(await skein.text(`webhooks list --workspace ${workspaceID}`)).toContain(
      overlapping.previousKeyEndsAt,
    )
    expect((await skein.json(`webhooks end-previous-key ${id}`)).previousKeyEndsAt).toBeNull()
    const expiring = await skein.json(`webhooks update ${id} --expires-at 2999-01-01T00:00:00Z`)
    expect(expiring.expiresAt).toBe('2999-01-01T00:00:00.000Z')
    expect((await skein.json(`webhooks update ${id} --no-expires-at`)).expiresAt).toBeNull()
    const general = workspaceID.replace('wks_', 'grp_')
    const targets = `--default-target ${workspaceID} --allowed-target ${workspaceID}`
    expect(await skein.json(`webhooks update ${id} ${targets}`)).toMatchObject({
      defaultTarget: general,
      allowedTargets: [general],
    })
    expect(await skein.text(`webhooks update ${id} --no-default-target`)).toMatch(
      new RegExp(`^Default target +-\nAllowed targets +${general}$`, 'm'),
    )
    expect((await skein.json(`webhooks update ${id} --no-allowed-target`)).allowedTargets).toEqual([])
    const formatted = await skein.json(
      `webhooks update ${id} --format slack --resolved-calls on --rest-days 7`,
    )
    expect(formatted).toMatchObject({ format: 'slack', resolvedCalls: true, restDays: 7 })
    const bare = await skein.json(`webhooks update ${id} --no-format --resolved-calls off --no-rest-days`)
    expect(bare).toMatchObject({ format: null, resolvedCalls: false, restDays: null })
    const signed = `webhooks update ${id} --signature-secret correct-horse-battery`
    expect((await skein.json(signed)).hasSignatureSecret).toBe(true)
    expect((await skein.json(`webhooks update ${id} --no-signature-secret`)).hasSignatureSecret).toBe(false)
    const templates = join(await mkdtemp(join(tmpdir(), 'skein-templates-')), 'templates.json')
    await writeFile(templates, JSON.stringify({ text: '{{ a }}' }))
    const withTemplates = await skein.json(`webhooks update ${id} --templates ${templates}`)
    expect(withTemplates.templates).toMatchObject({ text: '{{ a }}', state: null })
    expect((await skein.json(`webhooks update ${id} --no-templates`)).templates).toBeNull()
    expect((await skein.json(`webhooks disable ${id}`)).disabledAt).toMatch(/^20/)
    expect((await skein.json(`webhooks enable ${id}`)).disabledAt).toBeNull()
    const changed = await skein.json(`webhooks update ${id} --name Deploys --description Results`)
    expect(changed).toMatchObject({ id, name: 'Deploys', description: 'Results' })
    const listed = await skein.text(`webhooks list --workspace ${workspaceID}`)
    expect(listed).toMatch(new RegExp(`^${id} .* Deploys  Results$`, 'm'))
    expect(listed).not.toContain('/webhook/')
    expect((await skein.json(`webhooks delete ${id} --yes`)).deletedAt).toMatch(/^20/)
  })

  test('prints a link that signs in the owner of an email address', async () => {
    await expect(skein.text('signin-link typo@example.com')).rejects.toThrow(
      /^No person and no active account has the email address typo@example\.com\. .*invite the person/,
    )
    expect(await skein.text('accounts list')).not.toContain('typo@example.com')
    const workspaceID = await newWorkspace()
    await createPerson(operator(), { workspaceID, name: 'Ada', email: 'ada@example.com' })
    const link = await skein.text('signin-link ada@example.com')
    const page = await service.app.inject(new URL(link.trim()).pathname)
    expect(page.body).toContain('ada@example.com')
  })

  test('creates a starter workspace, and prints a new link to the explorer each time', async () => {
    const { code, stdout, stderr } = await skein.spawned('starter')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^Skein is running at http.*\n\nSign in as Ada.*\/signin\/link\/.*Explorer, signed in.*^ {2}npm run admin -- events$.*^ {2}curl -sS/ms,
    )
    const welcome = await skein.text('welcome')
    const links = [stdout, welcome].map((text) => /explorer\?code=\S+/.exec(text)?.[0])
    expect(links).toEqual([expect.any(String), expect.any(String)])
    expect(new Set(links).size).toBe(2)
    const listed = await skein.spawned('workspaces list --json')
    expect({ ...listed, stdout: JSON.parse(listed.stdout) }).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.arrayContaining([expect.objectContaining({ name: 'Skein starter' })]),
    })
  })

  test('names every field that the server rejects', async () => {
    const words = `users create ${'x'.repeat(101)} --email x --workspace ${await newWorkspace()}`
    const { code, stdout, stderr } = await skein.spawned(words)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^The server refused the request:\n {2}name must have at most 100 .*\n {2}email must be .*\n$/,
    )
  })

  test('prints one sentence for a group that does not exist', async () => {
    const outcome = await skein.spawned(`members list grp_unknown --workspace ${await newWorkspace()}`)
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The group does not exist, or you cannot see it.\n',
    })
  })

  test('explains that the server rejected the token, and does not print the token', async () => {
    const { code, stdout, stderr } = await skein.spawned('workspaces list', { OPERATOR_TOKEN: 'wrong-token' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^The server at \S+ rejected the operator token from OPERATOR_TOKEN\.\n/)
    expect(stderr).not.toContain('wrong-token')
  })
})
