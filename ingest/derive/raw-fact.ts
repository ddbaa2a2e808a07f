// A governance fact with its place in a block. `heights/height-events.ts` turns it into its event.
import type { BlockFact } from '../contract/governance/fact.ts'

/**
 * Where a fact comes from: `ordinal` and `sub` give its index, `txIndex` is null outside of txs.
 * `abciOrdinal` is the ordinal of its ABCI event in the block. It differs from `ordinal` only in a block with
 * more events than the index can number.
 */
export type Origin = { ordinal: number; sub: number; abciOrdinal: number; txIndex: number | null }

export type RawFact = Origin & BlockFact
export type RawFactOf<Kind extends BlockFact['kind']> = Extract<RawFact, { kind: Kind }>
