export function markMentions(html: string, userID: string): string {
  const mention = mentionOf(userID)
  return html.replaceAll(mention, mention.replace('>', ' data-own>'))
}

/** The service escapes the text of messages, so that nobody can write this tag. */
function mentionOf(userID: string): string {
  return `<span class="mention" data-id="${userID}">`
}
