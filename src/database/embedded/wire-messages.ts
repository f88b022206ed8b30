const typeBytes = 1
const lengthBytes = 4
const terminate = 'X'.charCodeAt(0)

/** Returns a function that takes pieces of a client's messages and returns the complete messages, except Terminate. */
export function wholeMessages(): (piece: Uint8Array) => Uint8Array {
  // The first message has no type (https://www.postgresql.org/docs/current/protocol-message-formats.html).
  let hasStarted = false
  let rest: Uint8Array = new Uint8Array(0)
  return (piece) => {
    const bytes = Buffer.concat([rest, piece])
    let end = 0
    for (;;) {
      if (hasStarted && bytes[end] === terminate) break
      const lengthAt = end + (hasStarted ? typeBytes : 0)
      if (lengthAt + lengthBytes > bytes.length) break
      const next = lengthAt + bytes.readInt32BE(lengthAt)
      if (next > bytes.length) break
      hasStarted = true
      end = next
    }
    rest = bytes.subarray(end)
    return bytes.subarray(0, end)
  }
}

export function wireMessage(type: 'Q' | 'S', text = ''): Buffer {
  const content = type === 'Q' ? Buffer.from(`${text}\0`) : Buffer.alloc(0)
  const head = Buffer.alloc(typeBytes + lengthBytes)
  head.write(type)
  head.writeInt32BE(lengthBytes + content.length, typeBytes)
  return Buffer.concat([head, content])
}
