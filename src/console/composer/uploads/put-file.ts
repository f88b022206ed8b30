type Ticket = { url: string; headers: readonly { name: string; value: string }[] }

/** Sends the bytes of a file. Uses XMLHttpRequest, because fetch does not report the progress. */
export function putFile(
  { url, headers }: Ticket,
  file: Blob,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    request.open('PUT', url)
    for (const { name, value } of headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new Error(detailOf(request.responseText)))
    request.onerror = () => reject(new Error('The connection was lost.'))
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop)
    request.send(file)
  })
}

function detailOf(response: string): string {
  try {
    return JSON.parse(response).detail ?? 'The service refused the file.'
  } catch {
    return 'The service refused the file.'
  }
}
