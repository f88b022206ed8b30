import { text } from '../input.ts'

// What browsers accept (HTML, "valid email address"), and letters of all languages (RFC 6531). A mail server refuses other
// addresses, such as a@b..com. Invisible characters could make an address look like another one.
const localPart = /(?:[\w.!#$%&'*+/=?^`{|}~-]|[^\p{ASCII}\s\p{Cc}\p{Cf}])+/u.source
const label = /[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?/u.source
const address = new RegExp(`^${localPart}@${label}(?:\\.${label})*$`, 'u')

export const email = text(254)
  .refine((value) => address.test(value), 'must be an email address, such as ada@example.com')
  .refine(
    // Some capital letters could make an address equal to another one: PostgreSQL converts İ and the Kelvin sign to the
    // ASCII letters i and k.
    (value) => !/[^A-Z\P{Changes_When_Lowercased}]/u.test(value),
    'must have capital letters only from A to Z. Write other letters in lower case',
  )
