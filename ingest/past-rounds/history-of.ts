// Connects the history to the endpoints and the log of ingest.
import { LRUCache } from 'lru-cache'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { withGovPackage } from '../chain/gov-package.ts'
import { type Block, bytesOfBlock } from '../comet/blocks/block.ts'
import type { BackgroundReader, ChainReader } from '../comet/endpoints/node.ts'
import type { IngestConfig } from '../config.ts'
import type { History as HistoryMember } from '../contract/history-events.ts'
import type { Tail } from '../heights/log-tail.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'
import type { createProgress } from '../progress.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { TallyRules } from '../tally-rules/find-rule.ts'
import { createHistory, type History } from './history.ts'
import { findOpenVotes, reconstruct } from './reconstruct.ts'

type HistoryParts = {
  config: IngestConfig
  log: EventLog
  tail: Pick<Tail, 'marker'>
  background: readonly BackgroundReader[]
  progress: ReturnType<typeof createProgress>
  schemas: SchemaSource
  rules: TallyRules
  historyFile: string | undefined
  metrics: IngestMetrics
  clock: Clock
  logger: Logger
  signal: AbortSignal
}

const KEPT_BLOCKS_BYTES = 32 * 2 ** 20

/** Votes on proposals of the same weeks are in the same blocks: each is read once. */
const withKeptBlocks = (node: ChainReader): ChainReader => {
  const kept = new LRUCache<number, Block>({
    maxSize: KEPT_BLOCKS_BYTES,
    sizeCalculation: (block) => Math.max(1, bytesOfBlock(block)),
  })
  return {
    ...node,
    block: async (height, options) => {
      const known = options === undefined ? kept.get(height) : undefined
      if (known) return known
      const block = await node.block(height, options)
      if (options === undefined) kept.set(height, block)
      return block
    },
  }
}

export const createHistoryOf = (parts: HistoryParts): History => {
  const { background, progress, schemas, rules, metrics, clock, logger, signal } = parts
  const nodes = background.map(({ name, node }) => ({
    name,
    node: withKeptBlocks(withGovPackage(node, { clock, logger })),
  }))
  return createHistory({
    setting: parts.config.history,
    log: parts.log,
    marker: parts.tail.marker,
    isLive: () => progress.read().phase === 'live',
    reconstruct: async ({ proposalId, proposal, open }, reading) => {
      const reads = { nodes, schemas, rules, ...reading, clock, signal, logger, metrics }
      return open
        ? await findOpenVotes({ proposalId, open }, reads)
        : await reconstruct(proposal, reads)
    },
    requestsFile: parts.historyFile,
    clock,
    logger,
    signal,
  })
}

/** Its member in the marker, after the metrics have it. */
export const countHistory = (
  history: History,
  { pastVotes }: Pick<IngestMetrics, 'pastVotes'>,
): HistoryMember | undefined => {
  const member = history.member()
  if (!member) return undefined
  for (const state of ['total', 'done', 'unreachable'] as const) {
    pastVotes.set({ state }, member[state])
  }
  return member
}
