import { readStarter } from '../../starter/read-starter.ts'
import type { Examples } from './render-document.ts'

// Secrets of the starter workspace never appear on a page.
const shown = ['baseURL', 'workspaceID', 'groupID', 'privateGroupID', 'appID', 'clientID', 'redirectURI']

export async function starterExamples(dataDir: string): Promise<Examples> {
  const starter: Record<string, unknown> = (await readStarter(dataDir)) ?? {}
  const userIDs = Array.isArray(starter.userIDs) ? starter.userIDs : []
  const entries = [
    ...shown.map((name) => [name, starter[name]]),
    ...userIDs.map((id, index) => [`userIDs[${index}]`, id]),
  ]
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}
