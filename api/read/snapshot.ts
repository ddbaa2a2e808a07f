// The state that is served: a checkpoint, and the watermark of each proposal.
import { isDemoChain } from '../../ingest/contract/demo-chain.ts'
import { ORDINAL, ordinalAt } from '../../ingest/contract/envelope.ts'
import type { History } from '../../ingest/contract/history-events.ts'
import type { Limitation } from '../../ingest/contract/limitations.ts'

export type Watermark = {
  position: bigint
  timeMs: number
  final: boolean
  /** A later state of the chain may still fill in what is null. */
  awaits: boolean
}

/**
 * Whether no fact of a proposal can change any more. False for a vote that ended before the first indexed height. It may be
 * recomputed at any time, for example from an endpoint with older states. Checking a copy again is cheap.
 */
export const isSettled = (watermark: Watermark): boolean =>
  watermark.final && !watermark.awaits && !isRecomputed(watermark)

/** True for a vote that ended before the first indexed height. */
export const isRecomputed = ({ position }: Watermark): boolean =>
  EARLIER.includes(ordinalAt(position))

/** The ordinals of a snapshot, and of events about past votes. */
const EARLIER: readonly number[] = [ORDINAL.before, ORDINAL.history]

/** Immutable: cached values stay valid under the keys of their snapshot. */
export type Snapshot = {
  generation: number
  database: string
  chainId: string
  height: number
  timeMs: number
  tip: number
  /** What cannot be read or verified of the chain. */
  limitations: readonly Limitation[]
  /** How far the history before the first indexed height is; null if there is none. */
  history: History | null
  lagEvents: number
  /** Wall clock since which the oldest height in the log waits; null if no height waits. */
  waitingSinceMs: number | null
  /** Wall clock of the last write of the projections. */
  writtenAtMs: number
  /** The latest position of all watermarks. It changes with every event of a proposal. */
  changedAt: bigint
  /** By canonical proposal id. None is newer than the checkpoint. */
  watermarks: ReadonlyMap<string, Watermark>
}

export const lacksGov = (snapshot: Snapshot | undefined): boolean =>
  snapshot?.limitations.some(({ kind }) => kind === 'no_gov') ?? false

/** False before the first height, because the chain is not known then. */
export const isDemoSnapshot = (snapshot: Pick<Snapshot, 'chainId'> | undefined): boolean =>
  snapshot !== undefined && isDemoChain(snapshot.chainId)
