import { useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { errorText } from '../../relay/error-text.ts'
import { limits } from '../../session/limits.ts'
import { useViewer } from '../../session/viewer.ts'
import { fileSize } from '../../text/file-size.ts'
import type { Outgoing } from '../outbox/outbox.ts'
import { changeUploads, keptUploads, newUpload, type Upload, useKeptUploads } from './kept-uploads.ts'
import { uploadFile } from './upload-file.ts'

const mostNamed = 3

/** The files that this page has uploaded, by ID. */
const uploaded = new Map<string, File>()

/** Uploads the files of a draft as soon as they are chosen. */
export function useUploads(storageKey: string) {
  const environment = useRelayEnvironment()
  const draft = `${useViewer().id}:${storageKey}`
  const uploads = useKeptUploads(draft)
  /** Names the files of the last selection that were not attached. */
  const [surplus, setSurplus] = useState<string | null>(null)
  const change = (key: number, fields: Partial<Upload>) =>
    changeUploads(draft, (kept) =>
      kept.map((upload) => (upload.key === key ? { ...upload, ...fields } : upload)),
    )

  const start = (upload: Upload) => {
    const { key, file, controller } = upload
    if (!file) return
    const onProgress = (progress: number) => change(key, { progress })
    uploadFile(environment, file, controller.signal, onProgress).then(
      (fileID) => {
        uploaded.set(fileID, file)
        change(key, { fileID, progress: 1 })
      },
      (error) => {
        if (controller.signal.aborted) return
        change(key, { problem: errorText(error), isRefused: error.name === 'RefusedFile' })
      },
    )
  }
  const add = (files: Iterable<File>) => {
    const chosen = [...files]
    const free = Math.max(0, limits.attachments - keptUploads(draft).length)
    setSurplus(surplusProblem(chosen.slice(free)))
    const added = chosen.slice(0, free).map((file) => {
      const problem = sizeProblem(file)
      return newUpload(file.name, { size: file.size, file, problem, isRefused: problem !== null })
    })
    changeUploads(draft, (kept) => [...kept, ...added])
    for (const upload of added) if (upload.problem === null) start(upload)
  }
  const remove = ({ key, controller }: Upload) => {
    controller.abort()
    setSurplus(null)
    changeUploads(draft, (kept) => kept.filter((upload) => upload.key !== key))
  }
  const retry = (upload: Upload) => {
    const next = { ...upload, problem: null, progress: 0 }
    change(upload.key, next)
    start(next)
  }
  const isReady = uploads.every(({ fileID }) => fileID !== null)
  return {
    uploads,
    isReady,
    surplus,
    excess: countProblem(uploads.length),
    problem: isReady ? null : 'Wait until the files are uploaded, or remove them.',
    files: uploads.flatMap(({ fileID, name }) => (fileID === null ? [] : { id: fileID, name })),
    add,
    remove,
    retry,
    /** Attaches the files of a message that could not be sent. Files that the service has deleted need another upload. */
    restore: ({ files, missingFiles = [] }: Pick<Outgoing, 'files' | 'missingFiles'>) => {
      const restored = files.map(({ id, name }) =>
        newUpload(name, missingFiles.includes(id) ? missing(uploaded.get(id)) : { fileID: id }),
      )
      changeUploads(draft, (kept) => [...kept, ...restored])
    },
    clear: () => {
      setSurplus(null)
      changeUploads(draft, () => [])
    },
  }
}

function missing(file: File | undefined): Partial<Upload> {
  const problem = 'The service no longer has this file.'
  return file ? { file, size: file.size, problem } : { problem: `${problem} Attach it again.` }
}

function sizeProblem({ size }: File): string | null {
  return size > limits.fileBytes ? `A file can be at most ${fileSize(limits.fileBytes)}.` : null
}

function countProblem(count: number): string | null {
  const surplus = count - limits.attachments
  return surplus > 0 ? `${rule()} Remove ${surplus} of them.` : null
}

/** Returns a text that names the files that exceed the limit and were not attached, or null if there are none. */
function surplusProblem(surplus: readonly File[]): string | null {
  if (surplus.length === 0) return null
  const names = surplus.slice(0, mostNamed).map(({ name }) => `“${name}”`)
  if (surplus.length > mostNamed) names.push(`${surplus.length - mostNamed} more`)
  return `${rule()} Not attached: ${names.join(', ')}.`
}

function rule(): string {
  return `A message can have at most ${limits.attachments} files.`
}
