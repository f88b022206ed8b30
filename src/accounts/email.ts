import { text } from '../input.ts'
import { emailAddress } from '../platform/email-address.ts'

const address = new RegExp(`^${emailAddress}$`, 'u')

export const email = text(254)
  .refine((value) => address.test(value), 'must be an email address, such as ada@example.com')
  .refine(
    // Some capital letters could make an address equal to another one: PostgreSQL converts İ and the Kelvin sign to the
    // ASCII letters i and k.
    (value) => !/[^A-Z\P{Changes_When_Lowercased}]/u.test(value),
    'must have capital letters only from A to Z. Write other letters in lower case',
  )
