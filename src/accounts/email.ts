import { text } from '../input.ts'

export const email = text(254).refine(
  (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  'must be an email address, such as ada@example.com',
)
