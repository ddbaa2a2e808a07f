// Reads the votes that ended before the first indexed height, newest first, behind the tip. Ingest takes what is read and appends it
// with the next height. The log is the only cursor: a restart continues after the last append.
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { recordsBetween } from '../../infra/base/log/event-log.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { type Answer, isKnown, unavailable } from '../chain/answer.ts'
import { withGovPackage } from '../chain/gov-package.ts'
import { createRetriedNode } from '../chain/query.ts'
import type { BackgroundReader } from '../comet/endpoints/node.ts'
import type { IngestConfig } from '../config.ts'
import { decodeEvent } from '../contract/codec.ts'
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent, Marker } from '../contract/events.ts'
import type { ProposalState } from '../contract/facts.ts'
import { isOpen } from '../contract/governance/fact.ts'
import type { History as HistoryMember } from '../contract/history-events.ts'
import { type BlockReference, eventAt, proposalSubject } from '../derive/event-at.ts'
import type { Tail } from '../heights/governance.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'
import type { createProgress } from '../progress.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { TallyRules } from '../tally-rules/find-rule.ts'
import { findOpenVotes, type Reconstruction, reconstruct } from './reconstruct.ts'
import type { BlockTime } from './round-ends.ts'

/** `tip`: the last indexed block. */
export type Reading = { searchesVotes: boolean; tip: BlockTime }

/** `open`: of a vote that the log has from the snapshot on, whose ballots alone are dated; null if it had ended at the snapshot. */
export type Target = {
  proposalId: string
  proposal: ProposalState
  open: { round: number; stateHeight: number } | null
}

export type HistoryOptions = {
  setting: IngestConfig['history']
  log: EventLog
  marker: Marker | undefined
  /** True while no height waits: only then history is read. */
  isLive: () => boolean
  reconstruct: (target: Target, options: Reading) => Promise<Answer<Reconstruction>>
  clock: Clock
  logger: Logger
  signal: AbortSignal
}

export type HistoryProgress = {
  /** `waiting`: the tip comes first. */
  state: 'off' | 'waiting' | 'reading' | 'done' | 'unreachable'
  proposalId: string | null
}

const POLL_MS = 2_000
/** What no endpoint can show is asked for again so rarely. */
const AGAIN_MS = 60 * 60_000
/** So many in a row: the endpoints do not reach further back, and older ones are not asked for. */
const UNREACHABLE_IN_A_ROW = 5
const MAX_REASON = 500
/** One height carries at most so much, or one proposal. */
const MAX_BYTES = 8 * 2 ** 20
/** One is left for `history.progressed`. */
const MAX_EVENTS = SUB_LIMIT - 1
const READ_LIMITS = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }

/** The events of one height that is in the log, by default the first one. */
async function* eventsOf(log: EventLog, height?: number): AsyncIterable<GovernanceEvent> {
  const from = height === undefined ? 0n : await log.offsetOfHeight(height)
  for await (const records of recordsBetween(log, { from, limits: READ_LIMITS })) {
    for (const { value } of records) {
      const decoded = decodeEvent(value)
      if (!decoded.ok) continue
      yield decoded.event
      if (decoded.event.type === 'rollcall.block.indexed.v1') return
    }
  }
}

/** By ascending ID; empty if the log begins without a snapshot. `withOpen`: also votes that had begun. */
async function readTargets(log: EventLog, withOpen: boolean): Promise<Target[]> {
  const targets: Target[] = []
  for await (const event of eventsOf(log)) {
    if (event.type !== 'rollcall.chain.snapshot.v1') continue
    const { proposals, stateHeight } = event.data
    for (const { proposal, round } of proposals) {
      const { proposalId, status, votingEndTime } = proposal
      if (votingEndTime === null) continue
      if (!isOpen(proposal)) targets.push({ proposalId, proposal, open: null })
      else if (withOpen && status === 'voting_period') {
        targets.push({ proposalId, proposal, open: { round, stateHeight } })
      }
    }
  }
  return targets.sort((one, other) => (BigInt(one.proposalId) < BigInt(other.proposalId) ? -1 : 1))
}

type DoneRange = EventOf<'rollcall.history.progressed.v1'>['data']['done'][number]

/** By proposal, whether its votes were searched. `at`: the height of the last `history.progressed`. */
async function readDone(
  log: EventLog,
  at: number | null,
  targets: readonly Target[],
): Promise<Map<string, boolean>> {
  const done = new Map<string, boolean>()
  if (at === null) return done
  for await (const event of eventsOf(log, at)) {
    if (event.type !== 'rollcall.history.progressed.v1') continue
    for (const { proposalId } of targets) {
      const id = BigInt(proposalId)
      const range = event.data.done.find(({ from, to }) => BigInt(from) <= id && id <= BigInt(to))
      if (range) done.set(proposalId, range.votes)
    }
  }
  return done
}

function toRanges(targets: readonly Target[], done: ReadonlyMap<string, boolean>): DoneRange[] {
  const ranges: DoneRange[] = []
  let open: DoneRange | undefined
  for (const { proposalId } of targets) {
    const votes = done.get(proposalId)
    if (open && votes === open.votes) open.to = proposalId
    else {
      open = votes === undefined ? undefined : { from: proposalId, to: proposalId, votes }
      if (open) ranges.push(open)
    }
  }
  return ranges
}

export class History {
  readonly #options: HistoryOptions
  /** Read, and not taken yet. */
  #ready: Reconstruction[] = []
  readonly #unreachable = new Map<string, string>()
  #at: number | null
  /** Undefined before the log was read. */
  #targets: readonly Target[] | undefined
  #done = new Map<string, boolean>()
  /** For all heights until something is read: undefined if it must be counted again. */
  #counted: { member: HistoryMember | undefined } | undefined
  #progress: HistoryProgress
  #tip: BlockTime | undefined

  constructor(options: HistoryOptions) {
    const { marker, setting } = options
    this.#options = options
    this.#counted = { member: marker?.data.history }
    this.#at = marker?.data.history?.at ?? null
    this.#tip = marker && { height: marker.height, time: marker.time }
    this.#progress = { state: setting === 'off' ? 'off' : 'waiting', proposalId: null }
  }

  /** Ends when aborted. */
  async run(): Promise<void> {
    const { setting, log, clock, signal } = this.#options
    if (setting === 'off') return
    while (!(await log.last())) await clock.sleep(POLL_MS, signal)
    const targets = await readTargets(log, setting === 'votes')
    this.#done = await readDone(log, this.#at, targets)
    this.#targets = targets
    this.#counted = undefined
    while (this.#left().length > 0) {
      await this.#readEach()
      if (this.#left().length === 0) break
      this.#tell('unreachable')
      await clock.sleep(AGAIN_MS, signal)
    }
    this.#tell('done')
  }

  /** The events of what was read since the last call, to append with this block; none at nearly every height. */
  takeEvents(block: BlockReference): readonly GovernanceEvent[] {
    this.#tip = { height: block.height, time: block.time }
    const [first, ...others] = this.#ready
    if (!first) return []
    const taken = [first]
    let { bytes } = first
    let events = first.drafts.length
    for (const each of others) {
      bytes += each.bytes
      events += each.drafts.length
      if (bytes > MAX_BYTES || events > MAX_EVENTS) break
      taken.push(each)
    }
    this.#ready = this.#ready.slice(taken.length)
    // Not before: a restart reads again what is not in the log.
    for (const { proposalId, votes } of taken) this.#done.set(proposalId, votes)
    this.#at = block.height
    this.#counted = undefined
    return this.#toEvents(block, taken)
  }

  /** For the marker of the height. */
  member(): HistoryMember | undefined {
    this.#counted ??= { member: this.#count() }
    return this.#counted.member
  }

  progress(): HistoryProgress {
    return this.#progress
  }

  /** After all other events of the block. */
  #toEvents(block: BlockReference, taken: readonly Reconstruction[]): GovernanceEvent[] {
    const ordinal = ORDINAL.history
    const drafts = taken.flatMap((each) => each.drafts)
    const events: GovernanceEvent[] = drafts.map((draft, sub) => {
      const subject = proposalSubject(draft.data.proposalId)
      return eventAt(block, { ordinal, sub }, { ...draft, subject })
    })
    const data = { done: toRanges(this.#targets ?? [], this.#done) }
    const place = { ordinal, sub: events.length }
    events.push(eventAt(block, place, { type: 'rollcall.history.progressed.v1', data }))
    return events
  }

  #count(): HistoryMember | undefined {
    // A vote that had begun is no past vote: only the times of its ballots are searched.
    const ended = (this.#targets ?? []).filter(({ open }) => open === null)
    if (ended.length === 0) return undefined
    const reasons = ended.flatMap(({ proposalId }) => this.#unreachable.get(proposalId) ?? [])
    return {
      at: this.#at,
      total: ended.length,
      done: ended.filter(({ proposalId }) => this.#done.has(proposalId)).length,
      unreachable: reasons.length,
      reason: reasons.at(-1) ?? null,
    }
  }

  #tell(state: HistoryProgress['state'], proposalId: string | null = null): void {
    this.#progress = { state, proposalId }
  }

  #left(): Target[] {
    const isDone = (votes: boolean | undefined) =>
      votes !== undefined && (votes || this.#options.setting !== 'votes')
    const ready = new Set(this.#ready.map(({ proposalId }) => proposalId))
    return (this.#targets ?? []).filter(
      ({ proposalId }) => !(isDone(this.#done.get(proposalId)) || ready.has(proposalId)),
    )
  }

  /** Reads each one that is left once, until too many in a row cannot be read. */
  async #readEach(): Promise<void> {
    const asked = new Set<string>()
    for (let unreachableInARow = 0; unreachableInARow < UNREACHABLE_IN_A_ROW; ) {
      const tip = await this.#untilAllowed()
      const target = this.#left().findLast(({ proposalId }) => !asked.has(proposalId))
      if (!target) return
      asked.add(target.proposalId)
      unreachableInARow = (await this.#readOne(target, tip)) ? 0 : unreachableInARow + 1
    }
    const [reason = ''] = [...this.#unreachable.values()].slice(-1)
    for (const { proposalId } of this.#left()) this.#noteUnreachable(proposalId, reason)
  }

  /** Resolves to the tip, once there is room for another one. */
  async #untilAllowed(): Promise<BlockTime> {
    const { isLive, signal, clock } = this.#options
    for (;;) {
      const isFull = this.#ready.reduce((sum, { bytes }) => sum + bytes, 0) >= MAX_BYTES / 2
      if (!isFull && isLive() && this.#tip) return this.#tip
      this.#tell('waiting')
      await clock.sleep(POLL_MS, signal)
    }
  }

  /** True if it could be read. */
  async #readOne(target: Target, tip: BlockTime): Promise<boolean> {
    const { proposalId } = target
    this.#tell('reading', proposalId)
    const answer = await this.#reconstruct(target, tip)
    if (isKnown(answer)) {
      this.#unreachable.delete(proposalId)
      this.#counted = undefined
      this.#ready.push(answer.value)
      return true
    }
    const reason = answer.unavailable
    this.#options.logger.info({ proposalId, reason }, 'a past vote cannot be read')
    this.#noteUnreachable(proposalId, reason)
    return false
  }

  #noteUnreachable(proposalId: string, reason: string): void {
    if (this.#unreachable.has(proposalId)) return
    this.#unreachable.set(proposalId, reason.slice(0, MAX_REASON))
    this.#counted = undefined
  }

  async #reconstruct(target: Target, tip: BlockTime): Promise<Answer<Reconstruction>> {
    const { setting, logger } = this.#options
    try {
      return await this.#options.reconstruct(target, { searchesVotes: setting === 'votes', tip })
    } catch (error) {
      if (hasCode(error, 'ABORTED')) throw error
      const { proposalId } = target
      // A proposal that cannot be read must not stop the ones after it, nor the tip.
      if (!(error instanceof AppError)) logger.error({ error, proposalId }, 'history failed')
      return unavailable(error instanceof Error ? error.message : String(error))
    }
  }
}

type HistoryParts = {
  config: IngestConfig
  log: EventLog
  tail: Pick<Tail, 'marker'>
  background: readonly BackgroundReader[]
  progress: ReturnType<typeof createProgress>
  schemas: SchemaSource
  rules: TallyRules
  metrics: IngestMetrics
  clock: Clock
  logger: Logger
  signal: AbortSignal
}

/** An outage of one read must not cost the hundreds of reads before it. */
const REPEATED_MS = 60_000
/** Per endpoint. Its pace limits the rest. */
const MAX_CONCURRENT_QUERIES = 32

/** The history of the log of ingest, from its endpoints. */
export function createHistoryOf(parts: HistoryParts): History {
  const { log, schemas, rules, metrics, clock, logger, signal } = parts
  const maxConcurrentQueries = MAX_CONCURRENT_QUERIES
  const reading = { budgetMs: REPEATED_MS, maxConcurrentQueries, signal }
  const nodes = parts.background.map(({ name, node }) => ({
    name,
    node: withGovPackage(createRetriedNode(node, reading), { clock, logger }),
  }))
  return new History({
    setting: parts.config.history,
    log,
    marker: parts.tail.marker,
    isLive: () => parts.progress.read().phase === 'live',
    reconstruct: async ({ proposalId, proposal, open }, options) => {
      const reads = { nodes, schemas, rules, ...options, clock, signal, logger, metrics }
      return open
        ? await findOpenVotes({ proposalId, ...open }, reads)
        : await reconstruct(proposal, reads)
    },
    clock,
    logger,
    signal,
  })
}

/** Its member in the marker, after the metrics have it. */
export function countHistory(
  history: History,
  { pastVotes }: Pick<IngestMetrics, 'pastVotes'>,
): HistoryMember | undefined {
  const member = history.member()
  for (const state of ['total', 'done', 'unreachable'] as const) {
    if (member) pastVotes.set({ state }, member[state])
  }
  return member
}

/** For operators. */
export function describeHistory(history: History) {
  const progress = history.progress()
  const member = history.member()
  const text =
    member && progress.state === 'reading'
      ? `recomputed ${member.done} of ${member.total} votes before the first height, reading proposal ${progress.proposalId}`
      : null
  return { ...progress, ...member, text }
}
