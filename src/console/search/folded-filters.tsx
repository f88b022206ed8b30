import { Box, Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'

/** The filters of a search. On a phone, they are behind a button that shows the number of active filters. */
export function FoldedFilters({ active, children }: { active: number; children: ReactNode }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        hiddenFrom="sm"
        variant="default"
        size="xs"
        mb="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {active > 0 ? `Filters (${active})` : 'Filters'}
      </Button>
      <Box id={id} {...(!isOpen && { visibleFrom: 'sm' })}>
        {children}
      </Box>
    </>
  )
}
