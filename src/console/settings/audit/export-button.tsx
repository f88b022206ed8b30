import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { Environment } from 'relay-runtime'
import type { AuditFilter, exportButtonQuery } from '../../../generated/console/exportButtonQuery.graphql.ts'

/** Saves all entries that match the filter to a file, one JSON object in each line. */
export function ExportButton({ filter }: { filter: AuditFilter }) {
  const { workspaceID = '' } = useParams()
  const environment = useRelayEnvironment()
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const save = async () => {
    setState('loading')
    try {
      saveLines(await linesOf(environment, workspaceID, filter))
      setState('idle')
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      {state === 'failed' && (
        <Text size="sm" role="alert">
          The entries could not be loaded. Try again.
        </Text>
      )}
      <Button variant="default" size="xs" loading={state === 'loading'} onClick={save}>
        Export as JSON lines
      </Button>
    </>
  )
}

async function linesOf(
  environment: Environment,
  workspaceID: string,
  filter: AuditFilter,
): Promise<string[]> {
  const lines: string[] = []
  for (let after: string | null | undefined = null; ; ) {
    const variables: exportButtonQuery['variables'] = { workspaceID, filter, after }
    const page = await fetchQuery<exportButtonQuery>(environment, query, variables).toPromise()
    const entries = page?.workspace?.auditEntries
    if (!entries) throw new Error('The audit log cannot be read')
    lines.push(...entries.nodes.map((node) => `${JSON.stringify(node)}\n`))
    if (!entries.pageInfo.hasNextPage) return lines
    after = entries.pageInfo.endCursor
  }
}

const query = graphql`
  query exportButtonQuery($workspaceID: ID!, $filter: AuditFilter, $after: String) {
    workspace(id: $workspaceID) {
      auditEntries(filter: $filter, first: 100, after: $after) {
        nodes {
          id workspaceID createdAt action outcome details address userAgent
          actor { kind id name means programID }
          object { id name }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`

function saveLines(lines: string[]): void {
  const url = URL.createObjectURL(new Blob(lines, { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'audit-log.jsonl'
  link.click()
  URL.revokeObjectURL(url)
}
