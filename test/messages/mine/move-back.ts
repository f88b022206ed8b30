const minutes = 5

const times = {
  messages: ['created_at', 'called_at'],
  threads: ['created_at', 'last_activity_at', 'called_at'],
  group_members: ['joined_at'],
  users: ['created_at'],
  follows: ['read_floor'],
  recipients: ['read_floor'],
  read_floors: ['read_floor'],
  reads: ['kept_at', 'calls_read_up_to'],
  mentions: ['mentioned_at'],
}

/** Returns statements that move everything in a workspace back in time, so that floors are later than it. */
export function moveBack(workspaceID: string): string[] {
  return Object.entries(times).map(([table, columns]) => {
    const moved = columns.map((column) => `${column} = ${column} - interval '${minutes} minutes'`)
    return `UPDATE ${table} SET ${moved.join(', ')} WHERE workspace_id = '${workspaceID}'`
  })
}
