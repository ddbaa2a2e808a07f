// What the API counts. Counting an answer adds one to a number; metrics are made of it when somebody asks.
import type { Metrics } from '../infra/runtime/metrics.ts'
import type { ByteCache } from './read/byte-cache.ts'
import type { ReadConsistency } from './read/query.ts'
import type { SnapshotSource } from './read/snapshots/snapshot-source.ts'

export type ApiMetrics = {
  /** A counter of one operation's answers by status. */
  answers(operation: string): (status: number) => void
  hit(): void
  read(read: { seconds: number; consistency: ReadConsistency }): void
  /** Both from closed lists. */
  toolCall(tool: string, outcome: string): void
}

export const createApiMetrics = (
  metrics: Metrics,
  { memory, snapshots }: { memory: ByteCache; snapshots: SnapshotSource },
): ApiMetrics => {
  const answers = metrics.counter({
    name: 'answers_total',
    help: 'Answers by operation and status',
    labels: ['operation', 'status'],
  })
  const hits = metrics.counter({ name: 'cache_hits_total', help: 'Pages answered from memory' })
  const reads = metrics.histogram({
    name: 'read_seconds',
    help: 'Time to read pages from the store',
    labels: ['verdict'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5],
  })
  const toolCalls = metrics.counter({
    name: 'mcp_tool_calls_total',
    help: 'Calls of MCP tools by tool and outcome',
    labels: ['tool', 'outcome'],
  })
  const bytes = metrics.gauge({
    name: 'page_cache_bytes',
    help: 'Memory of everything that is cached',
  })
  const height = metrics.gauge({ name: 'served_height', help: 'Height that is served' })
  const freshness = metrics.gauge({
    name: 'freshness_seconds',
    help: 'How long the oldest height that is known and not served has waited',
  })
  Object.assign(bytes, { collect: () => bytes.set(memory.bytes) })
  Object.assign(height, { collect: () => height.set(snapshots.current()?.height ?? 0) })
  Object.assign(freshness, {
    collect: () => freshness.set(snapshots.freshness().seconds ?? Number.NaN),
  })

  const counts = new Map<string, Map<number, number>>()
  let hitCount = 0
  Object.assign(hits, {
    collect: () => {
      hits.reset()
      hits.inc(hitCount)
    },
  })
  Object.assign(answers, {
    collect: () => {
      answers.reset()
      for (const [operation, byStatus] of counts) {
        for (const [status, count] of byStatus) answers.inc({ operation, status }, count)
      }
    },
  })
  return {
    answers: (operation) => {
      const byStatus = counts.get(operation) ?? new Map<number, number>()
      counts.set(operation, byStatus)
      return (status) => void byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    },
    hit: () => {
      hitCount += 1
    },
    read: ({ seconds, consistency }) => reads.observe({ verdict: consistency }, seconds),
    toolCall: (tool, outcome) => toolCalls.inc({ tool, outcome }),
  }
}
