// The data sources of the MCP server: the operations of the read API, and the snapshot in memory.
import type { AddressPrefixes } from '../read/queries/addresses.ts'
import type { AnswerBounds } from '../read/query.ts'
import type { Reader } from '../read/reader.ts'
import type { SnapshotSource } from '../read/snapshots.ts'
import { createHealth } from '../resources/health.ts'
import type { Operation, RawArguments, RequestParser } from '../resources/operation.ts'
import { createOwnAddresses, toOwnAddresses } from '../resources/own-addresses.ts'
import { allPools } from '../resources/pools.ts'
import type { Health } from '../schemas/health.ts'
import type { Pool } from '../schemas/pool.ts'

type Readable<Body> = Operation & RequestParser<Body>

/** False for the health of the service, which does not read the store. */
export const isReadable = (operation: Operation): operation is Readable<object> =>
  'parseRequest' in operation

export type McpSources = {
  /** The body of the read API within bounds. Throws `ApiProblem`. */
  read<Body extends object>(
    operation: Readable<Body>,
    request: RawArguments,
    bounds?: AnswerBounds,
  ): Promise<Body>
  health(): Health
  /** All pools by bonded tokens. Throws `ApiProblem`. */
  pools(): Promise<readonly Pool[]>
  /** Null before the first address. Throws `ApiProblem`. */
  prefixes(): Promise<AddressPrefixes | null>
  /** The absolute URL of a page. */
  pageUrl(path: string): string
  /** All served proposals, newest first. */
  proposalIds(): string[]
}

export type McpSourceOptions = {
  reader: Reader
  snapshots: SnapshotSource
  version: string
  baseUrl: string
}

/** The reads of a client use the slots of its address. */
export const createMcpSources =
  (options: McpSourceOptions, origin: () => string): ((address: string) => McpSources) =>
  (address) => {
    const { reader, snapshots } = options
    const own = createOwnAddresses(reader, address)
    return {
      read: async (operation, request, bounds) => {
        const given = await toOwnAddresses(request, own)
        return (await reader.get(operation.parseRequest(given).query, address, bounds)).body
      },
      health: () => createHealth(options),
      pools: async () => (await reader.get(allPools, address)).body,
      prefixes: own.prefixes,
      pageUrl: (path) => origin() + path,
      proposalIds: () =>
        [...(snapshots.current()?.watermarks.keys() ?? [])].sort((a, b) =>
          a.length === b.length ? (a < b ? 1 : -1) : b.length - a.length,
        ),
    }
  }
