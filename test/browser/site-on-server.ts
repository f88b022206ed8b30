import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { type Site, startSite, stopSite } from './site.ts'

type SiteOnServer = { site: Site; run: (statement: string, values?: unknown[]) => Promise<void> }

/**
 * Starts a site on a PostgreSQL server before the tests of the file, and stops both after them. `run` runs a statement
 * there, because many rows would take minutes through the service.
 */
export function siteOnServer(): SiteOnServer {
  const site = {} as Site
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
    Object.assign(site, await startSite({ DATABASE_URL: cluster.url }))
  })
  afterAll(async () => {
    await stopSite(site)
    await cluster?.remove()
  })
  const run = async (statement: string, values: unknown[] = []) => {
    const client = new pg.Client(cluster.url)
    await client.connect()
    await client.query(statement, values)
    await client.end()
  }
  return { site, run }
}
