import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { senders } from '../../src/console/settings/webhooks/senders/senders.ts'
import { Skein } from '../../src/sdk/index.ts'
import type { Starter } from '../../src/starter/create-starter-workspace.ts'
import { atEnd } from './at-end.ts'
import { newDataDir, startProcess } from './process.ts'
import { all } from './sdk.ts'

/** Starts the built service. Returns functions that make the examples of the page of a webhook and run them. */
export async function startSenderExamples() {
  const service = await startProcess({ DATA_DIR: await newDataDir() })
  const folder = await mkdtemp(join(tmpdir(), 'skein-senders-'))
  atEnd(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })
  const starter: Starter = JSON.parse(readFileSync(join(service.dataDir, 'starter.json'), 'utf8'))
  const skein = new Skein(starter)
  const { webhookURL } = starter

  /** Returns the example for a sender, and a function that returns what its group received. */
  async function exampleFor(name: string) {
    const groupID = await newGroup(skein)
    const sender = senders.find((sender) => sender.name === name)
    const example = sender?.example({ url: webhookURL, groupID, name: "Ada's webhook" }) ?? ''
    return { example, received: () => threadsOf(skein, groupID) }
  }

  /** Saves a program as a file, runs it with only the given variables, PATH and HOME, and returns its output. */
  async function run(
    [command, ...args]: [string, ...string[]],
    file: string,
    program: string,
    variables: Record<string, string> = {},
  ): Promise<string> {
    await writeFile(join(folder, file), program)
    const { PATH = '', HOME = '' } = process.env
    const options = { cwd: folder, env: { PATH, HOME, ...variables } }
    return (await promisify(execFile)(command, [...args, file], options)).stdout
  }

  return { webhookURL, exampleFor, run }
}

async function newGroup(skein: Skein): Promise<string> {
  const document = 'mutation ($name: String!) { createGroup(input: { name: $name }) { group { id } } }'
  const { createGroup } = await skein.request<{ createGroup: { group: { id: string } } }>(document, {
    name: randomUUID(),
  })
  return createGroup.group.id
}

/** Returns the threads of a group, and its chat if it has messages. */
async function threadsOf(skein: Skein, groupID: string) {
  const threads = await all(skein.threads({ filter: { groupID } }))
  return Promise.all(
    threads.map(async ({ id, subject, state, closedAt }) => {
      const messages = (await all(skein.messages(id))).map(({ text, state }) => ({ text, state }))
      return { subject, state, isClosed: closedAt !== null, messages }
    }),
  )
}

/** Returns the threads of a group that has only a chat with these messages. */
export function chatOf(...messages: { text: string; state: string | null }[]) {
  return [{ subject: null, state: null, isClosed: false, messages }]
}
