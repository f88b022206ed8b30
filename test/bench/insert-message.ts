/** Returns a statement that inserts a message. It increments the thread's last position, which locks the thread. */
export function insertMessage(of: {
  workspace: string
  thread: string
  message: string
  author: string
  text: string
}): string {
  const { workspace, thread, message, author, text } = of
  return `
    WITH thread AS (
      UPDATE threads
      SET last_position = last_position + 1, last_activity_at = greatest(last_activity_at, clock_timestamp())
      WHERE workspace_id = ${workspace} AND id = ${thread}
      RETURNING last_position, last_activity_at
    )
    INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, created_at)
    SELECT ${workspace}, ${message}, ${thread}, last_position, ${author}, ${text}, last_activity_at FROM thread`
}

export const insertByParameters = insertMessage({
  workspace: '$1',
  thread: '$2',
  message: '$3',
  author: '$4',
  text: '$5',
})
