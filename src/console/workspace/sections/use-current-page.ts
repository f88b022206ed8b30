import { useLocation } from 'react-router'

/** Returns the page of the URL, and the ID that follows it. A thread belongs to the list or pin from which it was opened. */
export function useCurrentPage(): { page: string | undefined; id: string | undefined } {
  const { pathname, state } = useLocation()
  const [, , page, id] = pathname.split('/')
  if (page !== 'threads') return { page, id }
  return { page: ['dms', 'mentions', 'pins'].includes(state?.list) ? state.list : 'inbox', id }
}
