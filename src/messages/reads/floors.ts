import type { Value } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** Who reads. In a statement for several readers, the values are columns. */
export type Reader = { workspaceID: Value; userID: Value }

/**
 * SQL for the time up to which a person has read everything: when the person was created, or last marked everything as
 * read. For other users it is `-infinity`, because floors are for people.
 */
export function personFloor({ workspaceID, userID }: Reader): Prisma.Sql {
  return Prisma.sql`(SELECT CASE WHEN u.kind = 'person' THEN greatest(u.created_at, (
        SELECT read_floor FROM read_floors
        WHERE workspace_id = u.workspace_id AND user_id = u.id AND group_id = '' OFFSET 0))
      ELSE '-infinity' END
    FROM users u WHERE u.workspace_id = ${workspaceID} AND u.id = ${userID} OFFSET 0)`
}

/**
 * SQL for the time up to which the messages with a mention `x` count as read, whatever the user has read: the person's
 * floor, or when the person joined the group that is mentioned. No other floor reads a mention.
 */
export function mentionFloor(reader: Reader): Prisma.Sql {
  return Prisma.sql`(SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(floor, (
        SELECT joined_at FROM group_members
        WHERE workspace_id = x.workspace_id AND user_id = ${reader.userID} AND group_id = x.target_id OFFSET 0)) END
    FROM (SELECT ${personFloor(reader)} AS floor OFFSET 0) AS person)`
}

/**
 * SQL for a JSON object with the floor of each membership of a person, in seconds, by the ID of the group. The groups are
 * muted, or they are not.
 */
function groupFloors({ workspaceID, userID }: Reader, { areMuted = false } = {}): Prisma.Sql {
  const isMuted = areMuted ? Prisma.sql`joined.is_muted` : Prisma.sql`NOT joined.is_muted`
  return Prisma.sql`(SELECT jsonb_object_agg(joined.group_id, extract(epoch FROM greatest(joined.joined_at, marked.read_floor)))
    FROM group_members joined LEFT JOIN LATERAL (
      SELECT read_floor FROM read_floors
      WHERE workspace_id = joined.workspace_id AND user_id = joined.user_id AND group_id = joined.group_id OFFSET 0
    ) AS marked ON TRUE
    WHERE joined.workspace_id = ${workspaceID} AND joined.user_id = ${userID} AND ${isMuted})`
}

/**
 * The condition that a time is certainly later than the floor of a thread `t`. It does not read the follows, because the
 * floor is at most as late as that of a membership. If a person is in no group of the thread, it is false.
 */
export function isAfterFloor(reader: Reader, time: Prisma.Sql): Prisma.Sql {
  const floors = groupFloors(reader)
  return Prisma.sql`(${time} > ${personFloor(reader)} AND (
        t.kind = 'dm' OR ${personFloor(reader)} = '-infinity'
        OR ${floors} ?| t.group_ids AND ${time} > (
          SELECT to_timestamp(max(floor::float8)) FROM jsonb_each_text(${floors}) AS each (id, floor))
        OR ${time} > ${membershipFloor(reader)}))`
}

/**
 * SQL for the earliest floor among a person's memberships in the groups of a thread `t`, or null. It is when the person
 * joined the group, or last marked its threads as read. A muted group does not count, because it is no reason.
 */
export function membershipFloor(reader: Reader): Prisma.Sql {
  return earliestOf(groupFloors(reader))
}

function earliestOf(floors: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT to_timestamp(min((${floors} ->> g)::float8)) FROM unnest(t.group_ids) AS g)`
}

/**
 * SQL for the time up to which the messages of a thread `t` count as read, whatever the user has read: the person's floor,
 * or the earliest floor among the reasons why the thread concerns the person, if that is later. If there is no reason, the
 * muted groups count.
 */
export function threadFloor(reader: Reader): Prisma.Sql {
  const { workspaceID, userID } = reader
  return Prisma.sql`(SELECT CASE WHEN floor = '-infinity' THEN floor ELSE greatest(floor, coalesce(least(
        ${membershipFloor(reader)},
        (SELECT coalesce(read_floor, '-infinity') FROM follows
          WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND thread_id = t.id AND is_active OFFSET 0),
        (SELECT coalesce(read_floor, '-infinity') FROM recipients
          WHERE workspace_id = ${workspaceID} AND thread_id = t.id AND recipient_id = ${userID} OFFSET 0)
      ), ${earliestOf(groupFloors(reader, { areMuted: true }))})) END
    FROM (SELECT ${personFloor(reader)} AS floor OFFSET 0) AS person)`
}
