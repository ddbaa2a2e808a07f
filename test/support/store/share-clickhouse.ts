// Starts one ClickHouse per worker of a project before its first test file and stops it after the last.
// A start takes longer than most files.
import type { TestProject } from 'vitest/node'
import {
  type ClickHouseAddress,
  type ClickHouseServer,
  startClickHouseServer,
} from './clickhouse-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** By worker; absent in projects with one instance per file. */
    clickHouses?: ClickHouseAddress[]
  }
}

const servers: ClickHouseServer[] = []

export async function setup(project: TestProject): Promise<void> {
  const addresses: ClickHouseAddress[] = []
  for (let worker = 0; worker < project.config.maxWorkers; worker++) {
    const server = await startClickHouseServer()
    servers.push(server)
    addresses.push(server.address)
  }
  project.provide('clickHouses', addresses)
}

export async function teardown(): Promise<void> {
  for (const { stop } of servers.splice(0)) await stop()
}
