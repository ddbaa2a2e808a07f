// What the routes of the API work with.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { DataFiles } from '../read/data-files.ts'
import type { Reader } from '../read/reader.ts'
import type { SnapshotSource } from '../read/snapshots.ts'
import type { StreamMetrics } from '../stream/hub.ts'
import type { DisplayUnit } from '../words/display-unit.ts'
import type { ApiMetrics } from './metrics.ts'
import type { Responder } from './responder.ts'

export type Service = {
  /**
   * Without a trailing slash. It may have a path, which a gateway removes from the URL of a request. If it is empty, links start
   * with a slash, or with the listening address.
   */
  baseUrl: string
  /** With scheme and host. Without a base URL it is known only after the server listens. */
  getServiceUrl: () => string | undefined
  version: string
  /** False in a deployment that registers no agents. */
  issuesTokens: boolean
  /** The unit of displayed amounts; by default the chain's base unit. */
  unit?: DisplayUnit | undefined
  explorerTxUrl?: string | undefined
  securityContact?: string | undefined
  rateLimitPerMinute: number
  /** Origins of web pages that may use the MCP server besides its own. */
  mcpAllowedOrigins: readonly string[]
  /** Concurrent streams: in total, and per address. */
  maxListeners: number
  maxListenersPerAddress: number
  store: Store
  snapshots: SnapshotSource
  reader: Reader
  responder: Responder
  files: DataFiles
  metrics: ApiMetrics
  streamMetrics: StreamMetrics
  logger: Logger
  clock: Clock
}
