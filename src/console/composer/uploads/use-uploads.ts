import { useEffect, useRef, useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { problemText } from '../../relay/problem-of.ts'
import { uploadFile } from './upload-file.ts'

export type Upload = {
  key: number
  name: string
  size: number | null
  /** Null for a file that was uploaded for an earlier attempt to send. */
  file: File | null
  /** How much is uploaded, from 0 to 1. */
  part: number
  fileID: string | null
  problem: string | null
  stop: AbortController
}

let lastKey = 0

/** The files that are chosen for a message. Each is uploaded immediately. */
export function useUploads() {
  const environment = useRelayEnvironment()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const current = useRef(uploads)
  current.current = uploads
  const change = (key: number, fields: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.key === key ? { ...upload, ...fields } : upload)))

  const start = (upload: Upload) => {
    const { key, file, stop } = upload
    if (!file) return
    uploadFile(environment, file, stop.signal, (part) => change(key, { part })).then(
      (fileID) => change(key, { fileID, part: 1 }),
      (error) => {
        if (!stop.signal.aborted) change(key, { problem: problemText(error) })
      },
    )
  }
  const add = (files: Iterable<File>) => {
    const added = [...files].map((file) => {
      return { ...newUpload(file.name), size: file.size, file }
    })
    setUploads((all) => [...all, ...added])
    added.forEach(start)
  }
  const remove = ({ key, stop }: Upload) => {
    stop.abort()
    setUploads((all) => all.filter((upload) => upload.key !== key))
  }
  const retry = (upload: Upload) => {
    const next = { ...upload, problem: null, part: 0 }
    change(upload.key, next)
    start(next)
  }
  useEffect(
    () => () => {
      for (const { stop } of current.current) stop.abort()
    },
    [],
  )
  return {
    uploads,
    isReady: uploads.every(({ fileID }) => fileID !== null),
    files: uploads.flatMap(({ fileID, name }) => (fileID === null ? [] : { id: fileID, name })),
    add,
    remove,
    retry,
    restore: (files: readonly { id: string; name: string }[]) =>
      setUploads((all) => [...all, ...files.map(({ id, name }) => ({ ...newUpload(name), fileID: id }))]),
    clear: () => setUploads([]),
  }
}

function newUpload(name: string): Upload {
  lastKey += 1
  return {
    key: lastKey,
    name,
    size: null,
    file: null,
    part: 0,
    fileID: null,
    problem: null,
    stop: new AbortController(),
  }
}
