// Counts and logs what is missing, undecodable or contradictory in the events of a height, before they are appended.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
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
  const names = canceled.has(String(data['proposalId'])) ? REASONS.slice(1) : REASONS
  return names.map((name) => data[name]).filter((reason) => typeof reason === 'string')
}

export function raiseEventAlerts(
  events: readonly GovernanceEvent[],
  { logger, metrics }: { logger: Logger; metrics: IngestMetrics },
): void {
  const height = events[0]?.height
  const ofType = <Type extends GovernanceEvent['type']>(type: Type) =>
    events.filter((event): event is GovernanceEvent & EventOf<Type> => event.type === type)
  for (const { type } of events) metrics.events.inc({ type })
  const undecodable = ofType('rollcall.abci-event.undecodable.v1')
  metrics.undecodable.inc(undecodable.length)
  if (undecodable[0]) {
    // A block may have any number of such events.
    const { abciType, reason } = undecodable[0].data
    const fields = { height, undecodable: undecodable.length, abciType, reason }
    logger.error(fields, 'kept undecodable governance events')
  }
  for (const { data } of ofType('rollcall.proposal.reconciled.v1')) {
    const { proposalId, finding, cause, result, proposal } = data
    metrics.disagreements.inc({ finding })
    const fields = { height, proposalId, finding, cause, result, status: proposal?.status ?? null }
    logger[LEVELS[finding] ?? 'error'](fields, 'the state of the chain and its events disagree')
  }
  for (const { data } of ofType('rollcall.round.read.v1')) {
    if (data.agrees !== false) continue
    metrics.liveTallyDifferences.inc()
    const { proposalId, round, nodeTally: node } = data
    const fields = { height, proposalId, round, node }
    logger.error(fields, 'the tally of the node differs from the recomputed one')
  }
  const deleted = ofType('rollcall.proposal.canceled.v1').map(({ data }) => data.proposalId)
  const canceled = new Set(deleted)
  const missing = events.flatMap((event) => listMissing(event, canceled))
  if (missing.length === 0) return
  metrics.unavailable.inc(missing.length)
  const fields = { height, missing: missing.length, firstReason: missing[0] }
  logger.warn(fields, 'indexed a height with missing state')
}
