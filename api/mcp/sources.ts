// The data sources of the MCP server: the operations of the read API, and the snapshot in memory.
import { addressPrefixes } from '../read/queries/address-prefixes.ts'
import type { Reader } from '../read/reader.ts'
import type { SnapshotSource } from '../read/snapshots/snapshot-source.ts'
import { createHealth } from '../resources/health.ts'
import { withoutHexAddresses } from '../resources/hex-addresses.ts'
import type { Operation, RawArguments, RequestParser } from '../resources/operation.ts'
import type { Health } from '../schemas/health.ts'

type Readable<Body extends object = object> = Operation & RequestParser<Body>

/** An operation that reads the store, or the health of the service. */
export type McpOperation = Readable | Operation

export const isReadable = (operation: McpOperation): operation is Readable =>
  'parseRequest' in operation

export type McpSources = {
  /** The body of the read API, whose JSON has at most `maxBytes`. Throws `ApiProblem`. */
  read<Body extends object>(
    operation: Readable<Body>,
    request: RawArguments,
    maxBytes?: number,
  ): Promise<Body>
  health(): Health
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
  (options: McpSourceOptions): ((address: string) => McpSources) =>
  (address) => ({
    read: async (operation, request, maxBytes) => {
      const { reader } = options
      const readPrefixes = async () => (await reader.get(addressPrefixes, address)).body
      const given = await withoutHexAddresses(request, readPrefixes)
      return (await reader.get(operation.parseRequest(given).query, address, maxBytes)).body
    },
    health: () => createHealth(options),
    proposalIds: () =>
      [...(options.snapshots.current()?.watermarks.keys() ?? [])].sort((a, b) =>
        a.length === b.length ? (a < b ? 1 : -1) : b.length - a.length,
      ),
  })
