import { useState } from 'react'
import { useRelayEnvironment } from 'react-relay/hooks'
import { errorText } from '../../relay/error-text.ts'
import { limits } from '../../session/limits.ts'
import { useViewer } from '../../session/viewer.ts'
import type { Outgoing } from '../outbox/outgoing.ts'
import { usePageValue } from '../storage/page-values.ts'
import { sizeProblem, surplusProblem } from './file-limits.ts'
import { keptUploads, newUpload, type Upload } from './kept-uploads.ts'
import { RefusedFile, uploadFile } from './upload-file.ts'

/** The files that this page has uploaded, by ID. */
const uploaded = new Map<string, File>()

/** Uploads the files of a draft as soon as they are chosen. */
export function useUploads(storageKey: string) {
  const environment = useRelayEnvironment()
  const kept = keptUploads(`${useViewer().id}:${storageKey}`)
  const uploads = usePageValue(kept)
  /** Names the files of the last selection that were not attached. */
  const [surplus, setSurplus] = useState<string | null>(null)
  const change = (key: number, fields: Partial<Upload>) =>
    kept.set(kept.get().map((upload) => (upload.key === key ? { ...upload, ...fields } : upload)))

  const start = (upload: Upload) => {
    const { key, file, controller } = upload
    if (!file) return
    uploadFile(environment, file, controller.signal, (progress) => change(key, { progress })).then(
      (fileID) => {
        uploaded.set(fileID, file)
        change(key, { fileID, progress: 1 })
      },
      (error) => {
        if (controller.signal.aborted) return
        change(key, { problem: errorText(error), isRefused: error instanceof RefusedFile })
      },
    )
  }
  const add = (files: Iterable<File>) => {
    const chosen = [...files]
    const free = Math.max(0, limits.attachments - kept.get().length)
    setSurplus(surplusProblem(chosen.slice(free)))
    const added = chosen.slice(0, free).map((file) => {
      const problem = sizeProblem(file)
      return newUpload(file.name, { size: file.size, file, problem, isRefused: problem !== null })
    })
    kept.set([...kept.get(), ...added])
    for (const upload of added) if (upload.problem === null) start(upload)
  }
  const remove = ({ key, controller }: Upload) => {
    controller.abort()
    setSurplus(null)
    kept.set(kept.get().filter((upload) => upload.key !== key))
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
      kept.set([...kept.get(), ...restored])
    },
    clear: () => {
      setSurplus(null)
      kept.set([])
    },
  }
}

function missing(file: File | undefined): Partial<Upload> {
  const problem = 'The service no longer has this file.'
  return file ? { file, size: file.size, problem } : { problem: `${problem} Attach it again.` }
}
