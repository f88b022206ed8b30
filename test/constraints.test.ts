import { describe, expect, test } from 'vitest'
import type { Context } from '../src/context.ts'
import { violatedConstraint } from '../src/database/database-errors.ts'
import { newID } from '../src/platform/ids.ts'
import { makeWorld, say, type World } from './support/factories.ts'
import { startService } from './support/service.ts'

const service = await startService()

/** Returns the constraint that the statements of a transaction violate. */
async function refusal(
  { db }: Context,
  ...statements: [sql: string, ...values: unknown[]][]
): Promise<string | undefined> {
  if (!('$transaction' in db)) throw new Error('The context must not be in a transaction')
  const work = db.$transaction(async (tx) => {
    for (const [sql, ...values] of statements) await tx.$executeRawUnsafe(sql, ...values)
  })
  return work.then(
    () => 'nothing',
    (error: unknown) => violatedConstraint(error) ?? String(error),
  )
}

const thread = (columns: string, values: string) =>
  `INSERT INTO threads (workspace_id, id, kind${columns}) VALUES ($1, $2, ${values})`
const message =
  'INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, unique_by) VALUES ($1, $2, $3, $4, $5, $6, $7)'
const pin = (column: string, place: number) =>
  `INSERT INTO pins (workspace_id, user_id, ${column}, place) VALUES ($1, $2, $3, ${place})`
const content = 'INSERT INTO contents (sha256) VALUES (sha256($1::text::bytea))'
const file = (bytes: string) =>
  `INSERT INTO files (workspace_id, id, uploader_id, name, size_bytes, md5, sha256) VALUES ($1, $2, $3, 'x', 0, decode(repeat('00', 16), 'hex'), sha256(${bytes}::text::bytea))`
const ticket = (claimedAt: string) =>
  `INSERT INTO upload_tickets (workspace_id, id, uploader_id, name, size_bytes, md5, expires_at, claimed_at, file_id) VALUES ($1, $2, $3, 'x', 0, decode(repeat('00', 16), 'hex'), now(), ${claimedAt}, $4)`

/** Creates a world with a thread in which Ada has sent one message. */
async function makeTold() {
  const world = await makeWorld(service)
  const told = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'A matter')
  return { ...world, threadID: told.thread.id, messageID: told.message.id }
}

describe('PostgreSQL refuses', () => {
  const refusals: [
    string,
    (world: Awaited<ReturnType<typeof makeTold>>, other: World) => [string, ...unknown[]][],
    string,
  ][] = [
    [
      'a workspace without a General group',
      () => [["INSERT INTO workspaces (id, name) VALUES ($1, 'x')", newID('wks')]],
      'workspaces_general_group',
    ],
    [
      'a second General group',
      ({ workspaceID, generalGroupID }) => [
        ["INSERT INTO groups (workspace_id, id, name) VALUES ($1, $2, 'x')", workspaceID, generalGroupID],
      ],
      'groups_pkey',
    ],
    [
      'a second chat of a group',
      ({ workspaceID, publicGroup }) => [
        [thread(', chat_group_id', "'group_chat', $3"), workspaceID, newID('thr'), publicGroup.id],
        [thread(', chat_group_id', "'group_chat', $3"), workspaceID, newID('thr'), publicGroup.id],
      ],
      'one_chat_per_group',
    ],
    [
      'a second DM of a pair',
      ({ workspaceID, ada, grace }) => {
        const [low, high] = [ada.id, grace.id].sort()
        const dm = thread(', dm_low_user_id, dm_high_user_id', "'dm', $3, $4")
        return [
          [dm, workspaceID, newID('thr'), low, high],
          [dm, workspaceID, newID('thr'), low, high],
        ]
      },
      'one_dm_per_pair',
    ],
    [
      'a DM with oneself',
      ({ workspaceID, ada }) => [
        [thread(', dm_low_user_id, dm_high_user_id', "'dm', $3, $3"), workspaceID, newID('thr'), ada.id],
      ],
      'dm_users_differ',
    ],
    [
      'a DM with one user',
      ({ workspaceID, ada }) => [[thread(', dm_low_user_id', "'dm', $3"), workspaceID, newID('thr'), ada.id]],
      'dm_has_two_users',
    ],
    [
      'a group chat without a group',
      ({ workspaceID }) => [[thread('', "'group_chat'"), workspaceID, newID('thr')]],
      'chat_has_one_group',
    ],
    [
      'a third recipient of a DM',
      ({ workspaceID, ada, grace, webhook }) => {
        const [low, high] = [ada.id, grace.id].sort()
        const id = newID('thr')
        return [
          [thread(', dm_low_user_id, dm_high_user_id', "'dm', $3, $4"), workspaceID, id, low, high],
          [
            'INSERT INTO recipients (workspace_id, thread_id, user_id) VALUES ($1, $2, $3)',
            workspaceID,
            id,
            webhook.userID,
          ],
        ]
      },
      'recipients_workspace_id_thread_id_thread_kind_fkey',
    ],
    [
      'a recipient that is both a user and a group',
      ({ workspaceID, threadID, ada, privateGroup }) => [
        [
          'INSERT INTO recipients (workspace_id, thread_id, user_id, group_id) VALUES ($1, $2, $3, $4)',
          workspaceID,
          threadID,
          ada.id,
          privateGroup.id,
        ],
      ],
      'user_or_group',
    ],
    [
      'a previous key of a webhook without an end',
      ({ workspaceID, webhook }) => [
        [
          'UPDATE webhooks SET previous_key_hash = key_hash WHERE workspace_id = $1 AND id = $2',
          workspaceID,
          webhook.id,
        ],
      ],
      'previous_key_ends',
    ],
    [
      'a gap between messages',
      ({ workspaceID, threadID, ada }) => [
        [message, workspaceID, newID('msg'), threadID, 3, ada.id, 'x', null],
      ],
      'no_gap',
    ],
    [
      'two messages at one position',
      ({ workspaceID, threadID, ada }) => [
        [message, workspaceID, newID('msg'), threadID, 1, ada.id, 'x', null],
      ],
      'one_message_per_position',
    ],
    [
      'two messages with one uniqueBy',
      ({ workspaceID, threadID, ada }) => [
        [message, workspaceID, newID('msg'), threadID, 2, ada.id, 'x', 'k'],
        [message, workspaceID, newID('msg'), threadID, 3, ada.id, 'x', 'k'],
      ],
      'one_message_per_unique_by',
    ],
    [
      'two threads with one threadBy',
      ({ workspaceID, ada, publicGroup }) => {
        const keyed = thread(', started_by_id, thread_by_target, thread_by', "'thread', $3, $4, 'k'")
        return [
          [keyed, workspaceID, newID('thr'), ada.id, publicGroup.id],
          [keyed, workspaceID, newID('thr'), ada.id, publicGroup.id],
        ]
      },
      'one_thread_per_thread_by',
    ],
    [
      'an eleventh attachment',
      ({ workspaceID, messageID, ada }) => [
        ["INSERT INTO contents (sha256) VALUES (decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING"],
        [
          "INSERT INTO files (workspace_id, id, uploader_id, name, size_bytes, md5, sha256) VALUES ($1, $2, $3, 'x', 0, decode(repeat('00', 16), 'hex'), decode(repeat('00', 32), 'hex'))",
          workspaceID,
          'fil_x',
          ada.id,
        ],
        [
          'INSERT INTO attachments (workspace_id, message_id, position, file_id) VALUES ($1, $2, 11, $3)',
          workspaceID,
          messageID,
          'fil_x',
        ],
      ],
      'ten_at_most',
    ],
    [
      'a file whose bytes are not in storage',
      ({ workspaceID, ada }) => [[file('$4'), workspaceID, newID('fil'), ada.id, newID('fil')]],
      'files_content',
    ],
    [
      'the deletion of content that a file uses',
      ({ workspaceID, ada }) => {
        const bytes = newID('fil')
        return [
          [content, bytes],
          [file('$4'), workspaceID, newID('fil'), ada.id, bytes],
          ['DELETE FROM contents WHERE sha256 = sha256($1::text::bytea)', bytes],
        ]
      },
      'files_content',
    ],
    [
      'a second upload ticket for a file',
      ({ workspaceID, ada }) => {
        const [bytes, id] = [newID('fil'), newID('fil')]
        return [
          [content, bytes],
          [file('$4'), workspaceID, id, ada.id, bytes],
          [ticket('now()'), workspaceID, newID('upl'), ada.id, id],
          [ticket('now()'), workspaceID, newID('upl'), ada.id, id],
        ]
      },
      'one_ticket_per_file',
    ],
    [
      'a file of an upload ticket that was not claimed',
      ({ workspaceID, ada }) => [[ticket('NULL'), workspaceID, newID('upl'), ada.id, newID('fil')]],
      'claimed_before_filled',
    ],
    [
      'an author from another workspace',
      ({ workspaceID, threadID }, other) => [
        [message, workspaceID, newID('msg'), threadID, 2, other.ada.id, 'x', null],
      ],
      'messages_workspace_id_author_id_fkey',
    ],
    [
      'a pin of a group of another workspace',
      ({ workspaceID, ada }, other) => [[pin('group_id', 1), workspaceID, ada.id, other.publicGroup.id]],
      'pins_workspace_id_group_id_fkey',
    ],
    [
      'a second pin of the same group',
      ({ workspaceID, ada, publicGroup }) => [
        [pin('group_id', 1), workspaceID, ada.id, publicGroup.id],
        [pin('group_id', 2), workspaceID, ada.id, publicGroup.id],
      ],
      'pins_pkey',
    ],
    [
      'two pins at the same place',
      ({ workspaceID, ada, publicGroup, threadID }) => [
        [pin('group_id', 1), workspaceID, ada.id, publicGroup.id],
        [pin('thread_id', 1), workspaceID, ada.id, threadID],
      ],
      'one_pin_per_place',
    ],
    [
      'a pin after the hundredth',
      ({ workspaceID, ada, threadID }) => [[pin('thread_id', 101), workspaceID, ada.id, threadID]],
      'at_most_100_pins',
    ],
    [
      'a member from another workspace',
      ({ workspaceID, publicGroup }, other) => [
        [
          'INSERT INTO group_members (workspace_id, group_id, user_id) VALUES ($1, $2, $3)',
          workspaceID,
          publicGroup.id,
          other.ada.id,
        ],
      ],
      'group_members_workspace_id_user_id_fkey',
    ],
  ]

  test.each(refusals)('%s', async (_what, statementsOf, constraint) => {
    const [world, other] = [await makeTold(), await makeWorld(service)]
    expect(await refusal(world.operator, ...statementsOf(world, other))).toBe(constraint)
  })
})

test('keys and foreign keys start with the workspace ID, with few exceptions', async () => {
  const { operator } = await makeWorld(service)
  const keys = await operator.db.$queryRaw<{ table: string; name: string; first: string }[]>`
    SELECT c.conrelid::regclass::text AS table, c.conname AS name, a.attname AS first
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype IN ('p', 'u', 'f') AND c.connamespace = 'public'::regnamespace AND c.conrelid::regclass::text <> '_prisma_migrations'`
  expect(keys.length).toBeGreaterThan(30)
  const others = keys.filter(
    ({ table, first }) => !['workspace_id', table === 'workspaces' ? 'id' : ''].includes(first),
  )
  // Accounts, operator tokens and file contents belong to no workspace, and an installation connects two workspaces.
  expect(others.map(({ name }) => name).sort()).toEqual([
    'accounts_email_key',
    'accounts_pkey',
    'contents_pkey',
    'files_content',
    'installations_app_workspace_id_app_id_fkey',
    'oidc_subjects_account_id_fkey',
    'oidc_subjects_pkey',
    'operator_tokens_name_key',
    'operator_tokens_pkey',
    'operator_tokens_token_hash_key',
    'sessions_account_id_fkey',
    'sessions_id_key',
    'sessions_pkey',
    'sign_in_links_pkey',
    'signing_keys_pkey',
    'users_account_id_fkey',
  ])
})

// These texts are not IDs. They are compared only with equal texts, and no list has their order.
const otherCollations = {
  'accounts.email': 'lower() of the default collation also converts letters outside ASCII.',
  'event_deliveries.status': 'One of a few words.',
  'follows.thread_kind': 'One of a few words.',
  'messages.deleted_unique_by': 'A key that the author of the message chose.',
  'messages.unique_by': 'A key that the author of the message chose.',
  'oidc_subjects.issuer': 'An address that the provider chose.',
  'oidc_subjects.subject': 'A name that the provider chose.',
  'operator_tokens.name': 'A name that the operator chose.',
  'recipients.thread_kind': 'One of a few words.',
  'sign_in_links.email': 'Compared with accounts.email.',
  'threads.kind': 'One of a few words.',
  'threads.thread_by': 'A key that the user who started the thread chose.',
}

// The order of the default collation depends on the system, and its comparisons are slower.
test('the texts of keys, foreign keys and indexes have COLLATE "C", unless they are listed with a reason', async () => {
  const { operator } = await makeWorld(service)
  const columns = await operator.db.$queryRaw<{ name: string; collation: string }[]>`
    SELECT DISTINCT a.attrelid::regclass || '.' || a.attname AS name, l.collname AS collation
    FROM (
      SELECT conrelid AS table, unnest(conkey) AS number FROM pg_constraint WHERE contype IN ('p', 'u', 'f')
      UNION SELECT indrelid, unnest(indkey::smallint[]) FROM pg_index
    ) AS key
    JOIN pg_class c ON c.oid = key.table JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = key.number
    JOIN pg_collation l ON l.oid = a.attcollation
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`
  expect(columns.length).toBeGreaterThan(50)
  const others = columns.filter(({ collation }) => collation !== 'C').map(({ name }) => name)
  expect(others.sort()).toEqual(Object.keys(otherCollations))
})

// Such a check refuses a secret that is stored without hashing it.
test('each hash of a secret has the length of SHA-256', async () => {
  const { operator } = await makeWorld(service)
  const hashes = await operator.db.$queryRaw<{ name: string; isChecked: boolean }[]>`
    SELECT a.attrelid::regclass || '.' || a.attname AS name, EXISTS (
      SELECT FROM pg_constraint WHERE conrelid = c.oid
        AND pg_get_constraintdef(oid) = format('CHECK ((octet_length(%I) = 32))', a.attname)) AS "isChecked"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.atttypid = 'bytea'::regtype
      AND a.attname LIKE '%hash'`
  expect(hashes.length).toBeGreaterThan(8)
  expect(hashes.filter(({ isChecked }) => !isChecked)).toEqual([])
})

// A view has only the columns that its table had when the view was created. Therefore a new column needs a new view.
test.each([
  ['visible_threads', 'threads'],
  ['visible_groups', 'groups'],
  ['visible_files', 'files'],
  ['active_webhooks', 'webhooks'],
])('the view %s has all columns of %s', async (view, table) => {
  const { db } = (await makeWorld(service)).operator
  const columnsOf = async (name: string) => {
    const rows = await db.$queryRaw<{ name: string }[]>`
      SELECT column_name AS name FROM information_schema.columns WHERE table_name = ${name}`
    return rows.map((row) => row.name)
  }
  // Only the filter by subject reads this column, and it reads the table.
  const columns = (await columnsOf(table)).filter((column) => column !== 'folded_subject')
  expect(await columnsOf(view)).toEqual(expect.arrayContaining(columns))
})
