// The chain of the demo: sixty pools, of which the four largest sign the blocks, and two thousand delegators.
import { WASM_PREFIX } from '../accounts.ts'
import type { ChainSpec, Json, PoolSeed, WhaleSeed } from '../chain-spec.ts'
import type { Periods } from '../genesis.ts'
import { chance, ROLL } from '../scenario/scene.ts'
import { POOL_PROFILES } from './pools.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const DEMO_PERIODS: Periods = {
  votingSeconds: 5 * 86_400,
  expeditedSeconds: 86_400,
  depositSeconds: 10 * 86_400,
}
export const MIN_DEPOSIT = 500n * ROLL
export const EXPEDITED_DEPOSIT = 2_500n * ROLL

const SIGNERS = 4
/** Of the signing pools, in thousands of ROLL. Together they have more than two thirds. */
const SIGNING_STAKE = [19_400, 18_300, 17_600, 16_900]
/** Of all others together, in thousands of ROLL. */
const OTHER_STAKE = 29_000
const FULL_SHARES = 1_000_000n

/** In ROLL. The others fall slowly from pool to pool. */
export function planStake(index: number): number {
  const signing = SIGNING_STAKE[index]
  if (signing !== undefined) return signing * 1_000
  const weight = (at: number) => 1 / (at + 4)
  let sum = 0
  for (let at = SIGNERS; at < POOL_PROFILES.length; at++) sum += weight(at)
  return (OTHER_STAKE * 1_000 * weight(index)) / sum
}

const countDelegators = (index: number): number =>
  index < SIGNERS ? 250 : Math.max(10, 34 - Math.floor(index / 2.5))

/** Many small delegations, and a few large ones. */
function planDelegators(index: number): WhaleSeed[] {
  const names = Array.from(
    { length: countDelegators(index) },
    (_, at) => `delegator ${index}.${at}`,
  )
  const weights = names.map((name) => 0.02 + chance(name, 'stake') ** 6)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const shared = planStake(index) * 0.82
  return names.map((name, at) => {
    const tokens = ((weights[at] ?? 0) / sum) * shared
    // Odd base units, so that nothing divides evenly.
    return { name, pool: index, tokens: BigInt(Math.floor(tokens * 1_000_000)) + BigInt(at % 997) }
  })
}

const DELEGATORS: readonly WhaleSeed[] = POOL_PROFILES.flatMap((_, index) => planDelegators(index))

const POOLS: readonly PoolSeed[] = POOL_PROFILES.map((profile, index) => ({
  ...profile,
  selfTokens: BigInt(Math.floor(planStake(index) * 0.18)) * ROLL + BigInt(index * 7_919 + 13),
  // Some were slashed long ago.
  sharesPerMillion: index % 9 === 5 ? FULL_SHARES + BigInt(index * 31 + 101) : FULL_SHARES,
}))

const toCoins = (amount: bigint) => [{ denom: 'uroll', amount: String(amount) }]

function editGenesis(app: Json): void {
  app.gov.constitution =
    'This chain belongs to its delegators. Every vote is counted, every count can be checked, and no decision is hidden.'
  app.gov.params.min_deposit = toCoins(MIN_DEPOSIT)
  app.gov.params.expedited_min_deposit = toCoins(EXPEDITED_DEPOSIT)
  app.bank.denom_metadata[0].description = 'The staking token of the Rollcall demo chain.'
}

export const STORY_CHAIN: ChainSpec = {
  chainId: 'rollcall-demo-1',
  addressPrefix: WASM_PREFIX,
  pools: POOLS,
  whales: DELEGATORS,
  signers: SIGNERS,
  spendable: 1_000_000n * ROLL,
  editGenesis,
}
