// Metrics of the API. Responses by operation are counted in plain numbers, which a scrape converts to metrics.
import type { Metrics } from '../../infra/base/runtime/metrics.ts'
import type { ByteCache } from '../read/cache.ts'
import type { ReadConsistency } from '../read/reader.ts'
import type { SnapshotSource } from '../read/snapshots.ts'

export type ApiMetrics = {
  /** Counts a response. */
  answered(operation: string, status: number): void
  hit(): void
  read(read: { seconds: number; consistency: ReadConsistency }): void
  /** Both labels have a fixed set of values. */
  toolCall(tool: string, outcome: string): void
}

export const createApiMetrics = (
  metrics: Metrics,
  { memory, snapshots }: { memory: ByteCache; snapshots: SnapshotSource },
): ApiMetrics => {
  const answers = metrics.counter({
    name: 'answers_total',
    help: 'Responses by operation and status',
    labels: ['operation', 'status'],
  })
  const hits = metrics.counter({ name: 'cache_hits_total', help: 'Responses from the cache' })
  const reads = metrics.histogram({
    name: 'read_seconds',
    help: 'Duration of reads from the store by consistency',
    labels: ['consistency'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5],
  })
  const toolCalls = metrics.counter({
    name: 'mcp_tool_calls_total',
    help: 'MCP tool calls by tool and outcome',
    labels: ['tool', 'outcome'],
  })
  metrics.gauge({
    name: 'page_cache_bytes',
    help: 'Memory of all caches',
    measure: () => memory.bytes,
  })
  metrics.gauge({
    name: 'served_height',
    help: 'Served height',
    measure: () => snapshots.current()?.height ?? 0,
  })
  metrics.gauge({
    name: 'freshness_seconds',
    help: 'Age of the oldest known height that is not served yet',
    measure: () => snapshots.freshness().seconds ?? Number.NaN,
  })

  // An increment of a counter with labels costs over a microsecond.
  const counts = new Map<string, Map<number, number>>()
  Object.assign(answers, {
    collect: () => {
      answers.reset()
      for (const [operation, byStatus] of counts) {
        for (const [status, count] of byStatus) answers.inc({ operation, status }, count)
      }
    },
  })
  return {
    answered: (operation, status) => {
      const byStatus = counts.get(operation) ?? new Map<number, number>()
      counts.set(operation, byStatus)
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    },
    hit: () => hits.inc(),
    read: ({ seconds, consistency }) => reads.observe({ consistency }, seconds),
    toolCall: (tool, outcome) => toolCalls.inc({ tool, outcome }),
  }
}
