export const shortcuts = [
  { keys: 'g i', label: 'Go to the inbox', path: 'inbox' },
  { keys: 'g g', label: 'Go to the groups', path: 'groups' },
  { keys: 'g d', label: 'Go to the direct messages', path: 'dms' },
  { keys: 'g m', label: 'Go to the mentions', path: 'mentions' },
  { keys: 'g s', label: 'Go to the settings', path: 'settings' },
  { keys: 'c', label: 'Write a new message', path: 'new' },
  { keys: '/', label: 'Search', path: 'search' },
]

/** Shortcuts that other components handle. The list only shows them. */
export const otherShortcuts = [
  { keys: 'j', label: 'Move to the next thread in the list' },
  { keys: 'k', label: 'Move to the previous thread in the list' },
  { keys: 'Enter', label: 'Open the thread, or send the message' },
  { keys: 'r', label: 'Reply: move to the message field of the open thread or chat' },
  { keys: 'n', label: 'Open the next unread thread in the list. Shift j does the same.' },
  { keys: 'e', label: 'Mark the thread as read, and move on to the next unread one' },
  { keys: 'm', label: 'Mute the thread, or end muting it' },
  { keys: 'Shift Escape', label: 'Mark everything as read, or the threads of the open group' },
  { keys: 'Alt ↑', label: 'Move the selected pin of the sidebar up' },
  { keys: 'Alt ↓', label: 'Move the selected pin of the sidebar down' },
  { keys: 'Shift Enter', label: 'Start a new line in a message' },
  { keys: '↑', label: 'Edit your last message, if the message field is empty' },
  { keys: 'Escape', label: 'Close a menu, a dialog or the third column, cancel, or leave the message field' },
  { keys: '?', label: 'Show this list' },
]
