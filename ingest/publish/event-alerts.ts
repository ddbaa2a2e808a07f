// Counts and logs missing data in the events of a height before they are appended.
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

/** A proposal that never reached a vote has no tally: not a fault of a node. A reconciled one has its own alert. */
const isExpected = (event: GovernanceEvent): boolean =>
  event.type === 'rollcall.proposal.reconciled.v1' ||
  (event.type === 'rollcall.proposal.closed.v1' && event.data.round === 0)

/** Submitted and canceled within one block: it is in no state, only in its transaction. */
const canceledIn = (events: readonly GovernanceEvent[]): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (const event of events) {
    if (event.type === 'rollcall.proposal.canceled.v1') ids.add(event.data.proposalId)
  }
  return ids
}

const reasonsIn = (event: GovernanceEvent, canceled: ReadonlySet<string>): string[] => {
  if (event.type === 'rollcall.chain.snapshot.v1') {
    return event.data.unavailable.map(({ what, reason }) => `${what}: ${reason}`)
  }
  // One alert for all chunks together.
  if (event.type === 'rollcall.round.read.v1' && event.data.chunk > 0) return []
  const data = event.data as Record<string, unknown>
  const isCanceled = typeof data['proposalId'] === 'string' && canceled.has(data['proposalId'])
  const names = isCanceled ? REASONS.filter((name) => name !== 'proposalReason') : REASONS
  return names.map((name) => data[name]).filter((reason) => typeof reason === 'string')
}

/** Limit of log lines per height: a block may have any number of such events. */
const MAX_UNDECODABLE_LINES = 10

/** Counts all events and logs the first ones. */
const alertUndecodable = (
  events: readonly EventOf<'rollcall.abci-event.undecodable.v1'>[],
  { logger, metrics }: { logger: Logger; metrics: IngestMetrics },
): void => {
  metrics.undecodable.inc(events.length)
  for (const { height, data } of events.slice(0, MAX_UNDECODABLE_LINES)) {
    const { abciType, reason } = data
    logger.error({ height, abciType, reason }, 'kept an undecodable governance event')
  }
  const unnamed = events.length - MAX_UNDECODABLE_LINES
  if (unnamed > 0) {
    logger.error({ height: events[0]?.height, unnamed }, 'kept more undecodable governance events')
  }
}

/** A vote that only was prolonged, or whose times became known, is no fault. */
const LEVELS: { readonly [Each in Finding]?: 'info' | 'warn' } = {
  changed: 'info',
  missing: 'warn',
}

const alertReconciled = (
  { height, data }: EventOf<'rollcall.proposal.reconciled.v1'>,
  { logger, metrics }: { logger: Logger; metrics: IngestMetrics },
): void => {
  const { proposalId, finding, cause, result, proposal } = data
  metrics.disagreements.inc({ finding })
  const status = proposal?.status ?? null
  const level = LEVELS[finding] ?? 'error'
  logger[level](
    { height, proposalId, finding, cause, result, status },
    'the state of the chain and its events disagree',
  )
}

/** Until they agree again, the numbers of the node are shown. */
const alertTally = (
  { height, data }: EventOf<'rollcall.round.read.v1'>,
  { logger, metrics }: { logger: Logger; metrics: IngestMetrics },
): void => {
  if (data.agrees !== false) return
  const { proposalId, round, nodeTally: node } = data
  metrics.liveTallyDifferences.inc()
  logger.error(
    { height, proposalId, round, node },
    'the tally of the node differs from the recomputed one',
  )
}

export const raiseEventAlerts = (
  events: readonly GovernanceEvent[],
  { logger, metrics }: { logger: Logger; metrics: IngestMetrics },
): void => {
  const canceled = canceledIn(events)
  let missing = 0
  let firstReason: string | undefined
  const undecodable: EventOf<'rollcall.abci-event.undecodable.v1'>[] = []
  for (const event of events) {
    metrics.events.inc({ type: event.type })
    if (event.type === 'rollcall.abci-event.undecodable.v1') undecodable.push(event)
    if (event.type === 'rollcall.proposal.reconciled.v1') {
      alertReconciled(event, { logger, metrics })
    }
    if (event.type === 'rollcall.round.read.v1') alertTally(event, { logger, metrics })
    if (isExpected(event)) continue
    const reasons = reasonsIn(event, canceled)
    missing += reasons.length
    firstReason ??= reasons[0]
  }
  alertUndecodable(undecodable, { logger, metrics })
  if (missing === 0) return
  metrics.unavailable.inc(missing)
  logger.warn(
    { height: events[0]?.height, missing, firstReason },
    'indexed a height with missing state',
  )
}
