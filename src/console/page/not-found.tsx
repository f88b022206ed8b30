import { usePageTitle } from '../workspace/page-title.ts'
import { Problem } from './problem.tsx'

type Props = { what: 'Group' | 'Page' | 'Thread' }

/** Says the same for something hidden and something that does not exist. */
export function NotFound({ what }: Props) {
  usePageTitle(`${what} not found`)
  return <Problem title={`${what} not found`} text="It does not exist, or you cannot see it." />
}
