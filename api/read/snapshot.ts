// What may be served, as one look found it: a checkpoint, and each proposal's watermark.

export type Watermark = { position: bigint; timeMs: number; final: boolean }

/** One look. Immutable: what is read under it is kept under its keys, whatever is looked at meanwhile. */
export type Snapshot = {
  generation: number
  database: string
  chainId: string
  height: number
  timeMs: number
  tip: number
  lagEvents: number
  /** Wall clock since which the oldest height in the log waits; null where none does. */
  waitingSinceMs: number | null
  /** Wall clock of the projections' last sign of life. */
  writtenAtMs: number
  /** Latest position of any watermark: moves with every fact that a list may show. */
  changedAt: bigint
  /** By canonical proposal id. None is newer than the checkpoint. */
  watermarks: ReadonlyMap<string, Watermark>
}
