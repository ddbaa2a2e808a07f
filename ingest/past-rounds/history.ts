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
import type { GovernanceEvent } from '../contract/events.ts'
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

/** `open`: of a vote that the log has from the snapshot on, whose ballots alone are dated; null if it had ended at the snapshot. */
export type Target = {
  proposalId: string
  proposal: ProposalState
  open: { round: number; stateHeight: number } | null
}

export type HistoryOptions = {
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

const POLL_MS = 2_000
/** What no endpoint can show is asked for again so rarely. */
const AGAIN_MS = 60 * 60_000
/** So many in a row: the endpoints do not reach further back, and older ones are not asked for. */
const UNREACHABLE_IN_A_ROW = 5
const MAX_REASON = 500
/** One height carries at most so much, or one proposal. */
const MAX_BYTES = 8 * 2 ** 20
/** In a marker; the rest is read again after a restart. Nearly always there is one. */
const MAX_RANGES = 500
/** An outage of one read must not cost the hundreds of reads before it. */
const REPEATED_MS = 60_000
/** Per endpoint. Its pace limits the rest. */
const MAX_CONCURRENT_QUERIES = 32
const READ_LIMITS = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }

/** The events of the first height in the log. */
async function* firstEvents(log: EventLog): AsyncIterable<GovernanceEvent> {
  for await (const records of recordsBetween(log, { from: 0n, limits: READ_LIMITS })) {
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
  for await (const event of firstEvents(log)) {
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

type Range = HistoryMember['read'][number]

function toRanges(targets: readonly Target[], done: ReadonlyMap<string, boolean>): Range[] {
  const ranges: Range[] = []
  let open: Range | undefined
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
  /** In the order in which they are asked. */
  readonly #nodes: readonly BackgroundReader[]
  /** Read, and not taken yet. */
  #ready: Reconstruction[] = []
  readonly #unreachable = new Map<string, string>()
  /** Empty before the log was read. */
  #targets: readonly Target[] = []
  /** By proposal, whether its votes were searched. */
  readonly #done = new Map<string, boolean>()
  #member: HistoryMember | undefined
  /** The proposal that is being read. */
  #reading: string | null = null
  #tip: number | undefined

  constructor(options: HistoryOptions) {
    const { tail, background, signal } = options
    this.#options = options
    this.#member = tail.marker?.data.history
    this.#tip = tail.marker?.height
    const reading = {
      budgetMs: REPEATED_MS,
      maxConcurrentQueries: MAX_CONCURRENT_QUERIES,
      signal,
    }
    this.#nodes = background.map(({ name, node }) => ({
      name,
      node: withGovPackage(createRetriedNode(node, reading), options),
    }))
  }

  get #searchesVotes(): boolean {
    return this.#options.config.history === 'votes'
  }

  /** Ends when aborted. */
  async run(): Promise<void> {
    const { config, log, clock, signal } = this.#options
    if (config.history === 'off') return
    while (!(await log.last())) await clock.sleep(POLL_MS, signal)
    this.#targets = await readTargets(log, this.#searchesVotes)
    for (const { proposalId } of this.#targets) {
      const id = BigInt(proposalId)
      const range = this.#member?.read.find(
        ({ from, to }) => BigInt(from) <= id && id <= BigInt(to),
      )
      if (range) this.#done.set(proposalId, range.votes)
    }
    this.#count()
    while (this.#left().length > 0) {
      await this.#readEach()
      this.#reading = null
      if (this.#left().length > 0) await clock.sleep(AGAIN_MS, signal)
    }
  }

  /** The events of what was read since the last call, to append with this block; none at nearly every height. */
  takeEvents(block: BlockReference): readonly GovernanceEvent[] {
    this.#tip = block.height
    const [first, ...others] = this.#ready
    if (!first) return []
    const taken = [first]
    let { bytes } = first
    let events = first.drafts.length
    for (const each of others) {
      bytes += each.bytes
      events += each.drafts.length
      if (bytes > MAX_BYTES || events > SUB_LIMIT) break
      taken.push(each)
    }
    this.#ready = this.#ready.slice(taken.length)
    // Not before: a restart reads again what is not in the log.
    for (const { proposalId, votes } of taken) this.#done.set(proposalId, votes)
    this.#count()
    const drafts = taken.flatMap((each) => each.drafts)
    return drafts.map((draft, sub) => {
      const subject = proposalSubject(draft.data.proposalId)
      return eventAt(block, { ordinal: ORDINAL.history, sub }, { ...draft, subject })
    })
  }

  /** For the marker of the height. */
  member(): HistoryMember | undefined {
    return this.#member
  }

  /** What is being read, for operators; null if nothing is. */
  describe(): string | null {
    if (!this.#member || this.#reading === null) return null
    const { done, total } = this.#member
    return `recomputed ${done} of ${total} votes before the first height, reading proposal ${this.#reading}`
  }

  #count(): void {
    // A vote that had begun is no past vote: only the times of its ballots are searched.
    const ended = this.#targets.filter(({ open }) => open === null)
    if (ended.length === 0) {
      this.#member = undefined
      return
    }
    const reasons = ended.flatMap(({ proposalId }) => this.#unreachable.get(proposalId) ?? [])
    const counts = {
      total: ended.length,
      done: ended.filter(({ proposalId }) => this.#done.has(proposalId)).length,
      unreachable: reasons.length,
    }
    const read = toRanges(this.#targets, this.#done).slice(-MAX_RANGES)
    this.#member = { ...counts, reason: reasons.at(-1) ?? null, read }
    for (const state of ['total', 'done', 'unreachable'] as const) {
      this.#options.metrics.pastVotes.set({ state }, counts[state])
    }
  }

  #left(): Target[] {
    const isDone = (votes: boolean | undefined) =>
      votes !== undefined && (votes || !this.#searchesVotes)
    const ready = new Set(this.#ready.map(({ proposalId }) => proposalId))
    return this.#targets.filter(
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
    this.#count()
  }

  /** Resolves to the tip, once no height waits and there is room for another proposal. */
  async #untilAllowed(): Promise<number> {
    const { progress, signal, clock } = this.#options
    for (;;) {
      const isFull = this.#ready.reduce((sum, { bytes }) => sum + bytes, 0) >= MAX_BYTES / 2
      const isLive = progress.read().phase === 'live'
      if (!isFull && isLive && this.#tip) return this.#tip
      await clock.sleep(POLL_MS, signal)
    }
  }

  /** True if it could be read. */
  async #readOne(target: Target, tip: number): Promise<boolean> {
    const { proposalId } = target
    this.#reading = proposalId
    const answer = await this.#reconstruct(target, tip)
    if (isKnown(answer)) {
      this.#unreachable.delete(proposalId)
      this.#ready.push(answer.value)
    } else {
      const reason = answer.unavailable
      this.#options.logger.info({ proposalId, reason }, 'a past vote cannot be read')
      this.#noteUnreachable(proposalId, reason)
    }
    this.#count()
    return isKnown(answer)
  }

  #noteUnreachable(proposalId: string, reason: string): void {
    if (this.#unreachable.has(proposalId)) return
    this.#unreachable.set(proposalId, reason.slice(0, MAX_REASON))
  }

  async #reconstruct(target: Target, tip: number): Promise<Answer<Reconstruction>> {
    const { proposalId, proposal, open } = target
    const reads = {
      ...this.#options,
      nodes: this.#nodes,
      searchesVotes: this.#searchesVotes,
      tip,
    }
    try {
      return open
        ? await findOpenVotes({ proposalId, ...open }, reads)
        : await reconstruct(proposal, reads)
    } catch (error) {
      if (hasCode(error, 'ABORTED')) throw error
      // A proposal that cannot be read must not stop the ones after it, nor the tip.
      if (!(error instanceof AppError)) {
        this.#options.logger.error({ error, proposalId }, 'history failed')
      }
      return unavailable(error instanceof Error ? error.message : String(error))
    }
  }
}
