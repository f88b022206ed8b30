import { randomUUID } from 'node:crypto'
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { starterPath, textOf } from './create-starter-workspace.ts'
import { readStarter } from './read-starter.ts'

/** Updates the URLs in `starter.json`, if the file exists. */
export async function refreshStarter({
  dataDir,
  baseURL,
  webhookBaseURL,
}: Pick<Config, 'dataDir' | 'baseURL' | 'webhookBaseURL'>): Promise<void> {
  const starter = await readStarter(dataDir)
  if (!starter) return
  const webhookURL = starter.webhookURL?.replace(/^.*(?=\/webhook\/)/, () => webhookBaseURL)
  if (starter.baseURL === baseURL && starter.webhookURL === webhookURL) return
  const path = starterPath(dataDir)
  const draft = `${path}.${randomUUID()}`
  try {
    await copyFile(path, draft) // The copy has the permissions of the file.
    await writeFile(draft, textOf({ ...starter, baseURL, webhookURL }))
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
