import { randomUUID } from 'node:crypto'
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { starterPath, textOf } from './create-starter-workspace.ts'
import { readStarter } from './read-starter.ts'

/** Updates the URLs and the operator token in `starter.json`, if the file exists. */
export async function refreshStarter({
  dataDir,
  baseURL,
  webhookBaseURL,
  operatorToken,
}: Pick<Config, 'dataDir' | 'baseURL' | 'webhookBaseURL' | 'operatorToken'>): Promise<void> {
  const starter = await readStarter(dataDir)
  if (!starter) return
  const webhookURL = starter.webhookURL?.replace(/^.*(?=\/webhook\/)/, () => webhookBaseURL)
  const text = textOf({ ...starter, baseURL, webhookURL, operatorToken })
  if (text === textOf(starter)) return
  const path = starterPath(dataDir)
  const draft = `${path}.${randomUUID()}`
  try {
    await copyFile(path, draft) // The copy has the permissions of the file.
    await writeFile(draft, text)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
