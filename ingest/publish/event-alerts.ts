// Counts and logs what is missing, undecodable or contradictory in the events of a height, before they are appended.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import type { Finding } from '../contract/governance/fact.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'

const REASONS = [
  'proposalReason',
  'voterReason',
  'unavailableReason',
  'incompleteReason',
  'proposerReason',
  'depositorReason',
  'paramsReason',
] as const

/** A vote that only was prolonged, or a state that became readable, is no fault. */
const LEVELS: { readonly [Each in Finding]?: 'info' | 'warn' } = {
  changed: 'info',
  read: 'info',
  missing: 'warn',
}

/** Limit of log lines per height: a block may have any number of such events. */
const MAX_UNDECODABLE_LINES = 10

/** A proposal that was canceled in the block is in no state, and one that never reached a vote has no tally. */
const listMissing = (event: GovernanceEvent, canceled: ReadonlySet<string>): string[] => {
  const { type } = event
  const data: Record<string, unknown> = event.data
  if (type === 'rollcall.chain.snapshot.v1') {
    return event.data.unavailable.map(({ what, reason }) => `${what}: ${reason}`)
  }
  // A reconciled proposal has its own alert; the chunks of a reading have one together.
  const isExpected =
    type === 'rollcall.proposal.reconciled.v1' ||
    (type === 'rollcall.proposal.closed.v1' && event.data.round === 0) ||
    (type === 'rollcall.round.read.v1' && event.data.chunk > 0)
  if (isExpected) return []
  return REASONS.flatMap((name) => {
    const isKnown = name === 'proposalReason' && canceled.has(String(data['proposalId']))
    const reason = data[name]
    return typeof reason === 'string' && !isKnown ? [reason] : []
  })
}

export function raiseEventAlerts(
  events: readonly GovernanceEvent[],
  { logger, metrics }: { logger: Logger; metrics: IngestMetrics },
): void {
  const canceled = new Set<string>()
  for (const { type, data } of events) {
    if (type === 'rollcall.proposal.canceled.v1') canceled.add(data.proposalId)
  }
  const missing: string[] = []
  let undecodable = 0
  for (const event of events) {
    const { height, type, data } = event
    metrics.events.inc({ type })
    missing.push(...listMissing(event, canceled))
    if (type === 'rollcall.abci-event.undecodable.v1') {
      undecodable += 1
      const { abciType, reason } = data
      if (undecodable > MAX_UNDECODABLE_LINES) continue
      logger.error({ height, abciType, reason }, 'kept an undecodable governance event')
    } else if (type === 'rollcall.proposal.reconciled.v1') {
      const { proposalId, finding, cause, result, proposal } = data
      metrics.disagreements.inc({ finding })
      const fields = {
        height,
        proposalId,
        finding,
        cause,
        result,
        status: proposal?.status ?? null,
      }
      logger[LEVELS[finding] ?? 'error'](fields, 'the state of the chain and its events disagree')
    } else if (type === 'rollcall.round.read.v1' && data.agrees === false) {
      const { proposalId, round, nodeTally: node } = data
      metrics.liveTallyDifferences.inc()
      const fields = { height, proposalId, round, node }
      logger.error(fields, 'the tally of the node differs from the recomputed one')
    }
  }
  const height = events[0]?.height
  metrics.undecodable.inc(undecodable)
  const unnamed = undecodable - MAX_UNDECODABLE_LINES
  if (unnamed > 0) logger.error({ height, unnamed }, 'kept more undecodable governance events')
  if (missing.length === 0) return
  metrics.unavailable.inc(missing.length)
  const fields = { height, missing: missing.length, firstReason: missing[0] }
  logger.warn(fields, 'indexed a height with missing state')
}
