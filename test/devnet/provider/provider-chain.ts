// The provider chain of Interchain Security: nine bonded pools, of which governance counts the first four.
import { type ChainSpec, ROLL, type WhaleSeed } from '../genesis.ts'

export const GENESIS_LIMIT = 4

const K = 1_000n * ROLL

/** Own tokens, and those of the pool's large delegator. */
const STAKES: readonly { own: bigint; delegated: bigint; sharesPerMillion?: bigint }[] = [
  { own: 100n * K, delegated: 0n },
  { own: 120n * K, delegated: 250n * K },
  { own: 90n * K, delegated: 260n * K },
  // The same units of power as the next one and more tokens, but the higher operator address: it is the fifth.
  { own: 100n * K + 900_000n, delegated: 150n * K },
  { own: 100n * K + 5n, delegated: 150n * K },
  { own: 60n * K, delegated: 189_999n * ROLL },
  { own: 80n * K, delegated: 120n * K, sharesPerMillion: 1_000_731n },
  { own: 70n * K, delegated: 80n * K },
  { own: 40n * K, delegated: 60n * K + 13n, sharesPerMillion: 1_000_101n },
]

const POOLS = STAKES.map(({ own, sharesPerMillion = 1_000_000n }, index) => ({
  moniker: index === 0 ? 'Anchor' : `Pool ${index}`,
  selfTokens: own,
  sharesPerMillion,
}))

const QUORUM_SHARE = '0.334000000000000000'
/** The counted tokens while the first votes close, and the part of them that reaches the quorum. */
export const QUIET_BASE = 5_000n * K
const QUORUM = (QUIET_BASE * 334n) / 1_000n
const GRAIN = 1n

/** Delegators of the first pool. */
const LARGE = { almost: QUORUM - GRAIN, grain: GRAIN, north: 1_000n * K, south: 700n * K }

const WHALES: readonly WhaleSeed[] = [
  ...Object.entries(LARGE).map(([name, tokens]) => ({ name, pool: 0, tokens })),
  ...STAKES.flatMap(({ delegated }, pool) =>
    delegated > 0n ? [{ name: nameDelegator(pool), pool, tokens: delegated }] : [],
  ),
]

export function nameDelegator(pool: number): string {
  return `delegator of pool ${pool}`
}

export const PROVIDER_CHAIN: ChainSpec = {
  program: 'interchain-security-pd',
  chainId: 'rollcall-provider-1',
  addressPrefix: 'cosmos',
  periods: { votingSeconds: 36, expeditedSeconds: 16, depositSeconds: 30 },
  pools: POOLS,
  whales: WHALES,
  editGenesis: (app) => {
    app.provider.params.max_provider_consensus_validators = String(GENESIS_LIMIT)
    app.gov.params.quorum = QUORUM_SHARE
  },
}
