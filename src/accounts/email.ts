import { text } from '../input.ts'

// Invisible characters could make an address look like another one.
export const email = text(254).refine(
  (value) => /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u.test(value),
  'must be an email address, such as ada@example.com',
)
