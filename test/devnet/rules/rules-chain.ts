// A chain whose votes are counted by a rule of choice: its pools, its large delegators, and how it starts.
import { createAccount } from '../accounts.ts'
import type { NodeBinary } from '../build-node.ts'
import { type Devnet, startDevnet } from '../chain.ts'
import type { ChainSpec } from '../chain-spec.ts'
import type { Periods } from '../genesis.ts'
import { ROLL } from '../scenario/scene.ts'

/** The rules of the node: see `rules-node/app.go`. */
export const RULES = ['gov', 'extra', 'governors', 'alone', 'twice'] as const
export type Rule = (typeof RULES)[number]

export const ADDRESS_PREFIX = 'rules'
/** An open vote is read at its start, and then every 30 seconds: twice with ballots. */
export const VOTING_SECONDS = 66
const PERIODS: Periods = { votingSeconds: VOTING_SECONDS, expeditedSeconds: 8, depositSeconds: 20 }

/** The steward's votes end, prolong or veto a vote. */
export const STEWARD = 'security'
/** As in `rules-node/steward.go`. */
export const PROLONGATION_MS = 8_000
/** Of a governor's own stake. */
export const MIN_GOVERNOR_STAKE = 100_000n * ROLL

const createPool = (moniker: string, selfTokens: bigint, sharesPerMillion = 1_000_000n) => ({
  moniker,
  details: '',
  selfTokens,
  sharesPerMillion,
  commission: '0.050000000000000000',
})

// With all of them at work, one base unit more or less decides nothing; which stake counts does.
const POOLS = [
  createPool('Signer', 40_000_000n * ROLL),
  createPool('Harbour', 2_000_000n * ROLL, 1_000_731n),
  createPool('Mill', 1_600_000n * ROLL),
  createPool('Granite', 1_200_000n * ROLL, 1_010_101n),
  createPool('Saltmarsh', 900_000n * ROLL),
]
const WHALES = [
  { name: 'north', pool: 0, tokens: 6_000_000n * ROLL },
  { name: 'south', pool: 0, tokens: 5_000_000n * ROLL },
  { name: 'grain', pool: 0, tokens: 900_000n * ROLL },
  { name: 'east', pool: 1, tokens: 1_500_000n * ROLL },
  { name: 'reed', pool: 1, tokens: 2_500_000n * ROLL },
  { name: 'west', pool: 2, tokens: 1_300_000n * ROLL },
] as const
export type Whale = (typeof WHALES)[number]['name']

async function createSpec(rule: Rule): Promise<ChainSpec> {
  const steward = await createAccount(STEWARD, ADDRESS_PREFIX)
  return {
    chainId: `rollcall-rules-${rule}`,
    addressPrefix: ADDRESS_PREFIX,
    pools: POOLS,
    whales: WHALES,
    editGenesis: (app) => {
      app.staking.params.max_validators = POOLS.length
      app.rules.steward = steward.address
      app.rules.min_governor_self_delegation = String(MIN_GOVERNOR_STAKE)
    },
  }
}

export async function startRulesChain(
  rule: Rule,
  options: { dir: string; binary: NodeBinary },
): Promise<Devnet> {
  const spec = await createSpec(rule)
  return startDevnet({ ...options, spec, periods: PERIODS, startArgs: ['--rule', rule] })
}
