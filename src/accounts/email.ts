import { text } from '../input.ts'

// Invisible characters could make an address look like another one. Some capital letters could make it equal to another
// one: PostgreSQL converts İ and the Kelvin sign to the ASCII letters i and k.
export const email = text(254)
  .refine(
    (value) => /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u.test(value),
    'must be an email address, such as ada@example.com',
  )
  .refine(
    (value) => !/[^A-Z\P{Changes_When_Lowercased}]/u.test(value),
    'must have capital letters only from A to Z. Write other letters in lower case',
  )
