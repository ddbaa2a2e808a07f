// The state that is served: a checkpoint, and the watermark of each proposal.
import { isDemoChain } from '../../ingest/contract/demo-chain.ts'
import type { Limitation } from '../../ingest/contract/limitations.ts'

export type Watermark = { position: bigint; timeMs: number; final: boolean }

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
