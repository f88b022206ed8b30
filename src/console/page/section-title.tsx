import { Title } from '@mantine/core'
import { createContext, type ReactNode, useContext } from 'react'

/** The level of the headings below the title of the third column. */
export const SectionLevelContext = createContext<2 | 3>(3)

/** The heading of a part of the third column. */
export function SectionTitle({ children }: { children: ReactNode }) {
  return <Title order={useContext(SectionLevelContext)}>{children}</Title>
}
