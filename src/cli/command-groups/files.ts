import type { Client } from '../client.ts'
import { type Output, tableOf } from '../print.ts'
import type { CommandGroup } from '../subcommands.ts'

type Result = { checkedCount: number; next: string | null; faults: object[] }

const document = `query ($after: String) {
  verifyFiles(after: $after) { checkedCount next faults { sha256 kind fileIDs } } }`
const columns = { SHA256: 'sha256', Fault: 'kind', Files: 'fileIDs' }

export const files: CommandGroup = {
  name: 'files',
  description: 'The bytes of uploaded files.',
  subcommands: [
    {
      usage: 'verify',
      description:
        'Read the bytes of all files. Lists those that are missing, damaged or unreadable, and fails if there are any.',
      example: '',
      run: verify,
    },
  ],
}

async function verify(client: Client): Promise<Output> {
  const faults: object[] = []
  let checkedCount = 0
  for (let after: string | null = null, isEnd = false; !isEnd; ) {
    const { verifyFiles } = (await client(document, { after })) as { verifyFiles: Result }
    faults.push(...verifyFiles.faults)
    checkedCount += verifyFiles.checkedCount
    after = verifyFiles.next
    isEnd = after === null
  }
  const json = { checkedCount, faults }
  return faults.length > 0
    ? {
        json,
        text: tableOf(columns, faults),
        failure: `Files with faults: ${faults.length} of ${checkedCount}.`,
      }
    : { json, text: `The bytes of all files are as they were uploaded: ${checkedCount}.` }
}
