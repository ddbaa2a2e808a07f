// Reads the votes that ended before the first indexed height, newest first, behind the tip. Ingest takes what is read and appends it
// with the next height, so that a restart continues after the last append.

import type { EventLog } from '../../infra/base/log/event-log.ts'
import { unlessAborted } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { type Answer, isKnown, unavailable } from '../chain/answer.ts'
import type { GovernanceEvent, Marker } from '../contract/events.ts'
import type { History as HistoryMember } from '../contract/history-events.ts'
import type { BlockReference } from '../derive/event-at.ts'
import type { BlockTime } from './height-since.ts'
import { MAX_EVENTS, placeHistory } from './placed.ts'
import type { Reconstruction } from './reconstruct.ts'
import { readHistoryRequests } from './requests.ts'
import { type Done, readDone, readTargets, type Target } from './targets.ts'

export type HistorySetting = 'closes' | 'votes' | 'off'

/** `tip`: the last indexed block. */
export type Reading = { searchesVotes: boolean; tip: BlockTime }

export type HistoryOptions = {
  setting: HistorySetting
  log: EventLog
  marker: Marker | undefined
  /** True while no height waits: only then history is read. */
  isLive: () => boolean
  reconstruct: (target: Target, options: Reading) => Promise<Answer<Reconstruction>>
  /** What the operator asks for. */
  requestsFile?: string | undefined
  clock: Clock
  logger: Logger
  signal: AbortSignal
}

export type HistoryProgress = {
  /** `waiting`: the tip comes first. */
  state: 'off' | 'waiting' | 'reading' | 'stopped' | 'done' | 'unreachable'
  proposalId: string | null
}

export type History = {
  /** Ends when aborted. */
  run(): Promise<void>
  /** The events of what was read since the last call, to append with this block; none at nearly every height. */
  takeEvents(block: BlockReference): readonly GovernanceEvent[]
  /** For the marker of the height. */
  member(): HistoryMember | undefined
  progress(): HistoryProgress
}

const POLL_MS = 2_000
/** What no endpoint can show is asked for again so rarely. */
const AGAIN_MS = 60 * 60_000
/** So many in a row: the endpoints do not reach further back, and older ones are not asked for. */
const UNREACHABLE_IN_A_ROW = 5
const MAX_REASON = 500
/** One height carries at most so much, or one proposal. */
const MAX_BYTES = 8 * 2 ** 20

/** Read, and not taken yet. */
const createReady = () => {
  let waiting: Reconstruction[] = []
  let onTaken = () => {}
  const isFull = () => waiting.reduce((sum, { bytes }) => sum + bytes, 0) >= MAX_BYTES / 2
  return {
    put: (each: Reconstruction) => void waiting.push(each),
    /** Resolves once there is room. */
    room: async (signal: AbortSignal): Promise<void> => {
      while (isFull()) {
        const taken = new Promise<void>((resolve) => {
          onTaken = resolve
        })
        await unlessAborted(taken, signal)
      }
    },
    take: (): Reconstruction[] => {
      const taken: Reconstruction[] = []
      let [bytes, events] = [0, 0]
      for (const each of waiting) {
        bytes += each.bytes
        events += each.drafts.length
        const fits = bytes <= MAX_BYTES && events <= MAX_EVENTS
        if (taken.length > 0 && !fits) break
        taken.push(each)
      }
      waiting = waiting.slice(taken.length)
      if (taken.length > 0) onTaken()
      return taken
    },
    has: (proposalId: string) => waiting.some((each) => each.proposalId === proposalId),
  }
}

/** Newest first, with the requested ones before. */
const inReadingOrder = (targets: readonly Target[], first: readonly string[]): Target[] => {
  const newest = targets.toReversed()
  const isFirst = ({ proposalId }: Target) => first.includes(proposalId)
  return [...newest.filter(isFirst), ...newest.filter((target) => !isFirst(target))]
}

class PastVotes implements History {
  readonly #options: HistoryOptions
  readonly #ready = createReady()
  readonly #unreachable = new Map<string, string>()
  readonly #before: HistoryMember | undefined
  #at: number | null
  #targets: readonly Target[] | undefined
  #done: Done | undefined
  /** For all heights until something is read: undefined if it must be counted again. */
  #counted: { member: HistoryMember | undefined } | undefined
  #progress: HistoryProgress
  #tip: BlockTime | undefined

  constructor(options: HistoryOptions) {
    this.#options = options
    this.#before = options.marker?.data.history
    this.#at = this.#before?.at ?? null
    this.#tip = options.marker && { height: options.marker.height, time: options.marker.time }
    this.#progress = { state: options.setting === 'off' ? 'off' : 'waiting', proposalId: null }
  }

  async run(): Promise<void> {
    const { setting, log, clock, signal } = this.#options
    if (setting === 'off') return
    while (!(await log.last())) await clock.sleep(POLL_MS, signal)
    const targets = await readTargets(log, { withOpen: setting === 'votes' })
    this.#done = await readDone(log, this.#at)
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

  takeEvents(block: BlockReference): readonly GovernanceEvent[] {
    this.#tip = { height: block.height, time: block.time }
    const taken = this.#ready.take()
    if (taken.length === 0 || !this.#done || !this.#targets) return []
    // Not before: a restart reads again what is not in the log.
    for (const { proposalId, votes } of taken) this.#done.add(proposalId, votes)
    this.#at = block.height
    this.#counted = undefined
    return placeHistory(block, taken, { done: this.#done.ranges(this.#targets) })
  }

  member(): HistoryMember | undefined {
    this.#counted ??= { member: this.#count() }
    return this.#counted.member
  }

  #count(): HistoryMember | undefined {
    if (!this.#targets || !this.#done) return this.#before
    // A vote that had begun is no past vote: only the times of its ballots are searched.
    const ended = this.#targets.filter(({ open }) => open === null)
    if (ended.length === 0) return undefined
    const reasons = ended.flatMap(({ proposalId }) => this.#unreachable.get(proposalId) ?? [])
    return {
      at: this.#at,
      total: ended.length,
      done: this.#done.count(ended),
      unreachable: reasons.length,
      reason: reasons.at(-1) ?? null,
    }
  }

  progress(): HistoryProgress {
    return this.#progress
  }

  #tell(state: HistoryProgress['state'], proposalId: string | null = null): void {
    this.#progress = { state, proposalId }
  }

  #left(): Target[] {
    const searchesVotes = this.#options.setting === 'votes'
    return (this.#targets ?? []).filter(
      ({ proposalId }) =>
        !(this.#done?.has(proposalId, searchesVotes) || this.#ready.has(proposalId)),
    )
  }

  /** Reads each one that is left once, until too many in a row cannot be read. */
  async #readEach(): Promise<void> {
    const asked = new Set<string>()
    for (let unreachableInARow = 0; unreachableInARow < UNREACHABLE_IN_A_ROW; ) {
      const { first, tip } = await this.#untilAllowed()
      await this.#ready.room(this.#options.signal)
      const open = this.#left().filter(({ proposalId }) => !asked.has(proposalId))
      const [target] = inReadingOrder(open, first)
      if (!target) return
      asked.add(target.proposalId)
      unreachableInARow = (await this.#readOne(target, tip)) ? 0 : unreachableInARow + 1
    }
    const [reason = ''] = [...this.#unreachable.values()].slice(-1)
    for (const { proposalId } of this.#left()) this.#noteUnreachable(proposalId, reason)
  }

  /** Resolves to the proposals that the operator wants first, and the tip. */
  async #untilAllowed(): Promise<{ first: readonly string[]; tip: BlockTime }> {
    const { requestsFile, isLive, signal, clock } = this.#options
    for (;;) {
      const { isStopped, first } = await readHistoryRequests(requestsFile)
      if (!isStopped && isLive() && this.#tip) return { first, tip: this.#tip }
      this.#tell(isStopped ? 'stopped' : 'waiting')
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
      this.#ready.put(answer.value)
      return true
    }
    const reason = answer.unavailable
    this.#options.logger.info({ proposalId, reason }, 'a past vote cannot be read')
    this.#noteUnreachable(proposalId, reason)
    return false
  }

  #noteUnreachable(proposalId: string, reason: string): void {
    if (!this.#unreachable.has(proposalId)) {
      this.#unreachable.set(proposalId, reason.slice(0, MAX_REASON))
      this.#counted = undefined
    }
  }

  async #reconstruct(target: Target, tip: BlockTime): Promise<Answer<Reconstruction>> {
    const { reconstruct, setting, logger } = this.#options
    try {
      return await reconstruct(target, { searchesVotes: setting === 'votes', tip })
    } catch (error) {
      if (hasCode(error, 'ABORTED')) throw error
      const { proposalId } = target
      // A proposal that cannot be read must not stop the ones after it, nor the tip.
      if (!(error instanceof AppError)) logger.error({ error, proposalId }, 'history failed')
      return unavailable(error instanceof Error ? error.message : String(error))
    }
  }
}

export const createHistory = (options: HistoryOptions): History => new PastVotes(options)

/** For operators. */
export const describeHistory = (history: History) => {
  const progress = history.progress()
  const member = history.member()
  const text =
    member && progress.state === 'reading'
      ? `recomputed ${member.done} of ${member.total} votes before the first height, reading proposal ${progress.proposalId}`
      : null
  return { ...progress, ...member, text }
}
