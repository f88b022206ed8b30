// What browsers accept (HTML, "valid email address"), and letters of all languages (RFC 6531). A mail server refuses other
// addresses, such as a@b..com. Invisible characters could make an address look like another one.
const localPart = /(?:[\w.!#$%&'*+/=?^`{|}~-]|[^\p{ASCII}\s\p{Cc}\p{Cf}])+/u.source
const label = /[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?/u.source

/** The source of a regular expression with the flag `u`. */
export const emailAddress = `${localPart}@${label}(?:\\.${label})*`
