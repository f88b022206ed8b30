/** A message of a stream. `event` is its type. */
export type StreamMessage = { event: string; data: string }

/** Parses Server-Sent Events (HTML Living Standard, 9.2.6). A chunk can end anywhere, even within a character. */
export async function* messagesIn(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamMessage, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  let event = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    // A CR at the end may be the first half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
      if (field === 'event') event = value
      if (field === 'data') data.push(value)
      if (line !== '') continue
      if (data.length > 0) yield { event, data: data.join('\n') }
      event = ''
      data = []
    }
  }
}
