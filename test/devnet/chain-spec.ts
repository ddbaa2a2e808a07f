// What one chain of the devnet has that another has not: its pools, its large delegators and parts of its genesis.

export const BOND_DENOM = 'uroll'

// biome-ignore lint/suspicious/noExplicitAny: the chain's own genesis file, edited in place
export type Json = any

export type PoolSeed = {
  moniker: string
  details: string
  identity?: string
  website?: string
  securityContact?: string
  selfTokens: bigint
  /** Shares per million tokens: above a million, the pool was slashed before genesis. */
  sharesPerMillion: bigint
  commission: string
}

/** A delegator who votes for itself. */
export type WhaleSeed = {
  name: string
  /** The index of its pool. */
  pool: number
  tokens: bigint
}

export type ChainSpec = {
  chainId: string
  addressPrefix: string
  /** The first one signs all blocks: it needs more than two thirds of the power of the consensus set. */
  pools: readonly PoolSeed[]
  whales: readonly WhaleSeed[]
  /** Changes `app_state` at the end. */
  editGenesis: (app: Json) => void
}
