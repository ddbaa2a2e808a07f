// A chain whose votes are counted by a rule of choice: its pools and its large delegators.
import { createAccount } from '../accounts.ts'
import type { Person } from '../chain.ts'
import { type ChainSpec, ROLL } from '../genesis.ts'

/** The rules of the node: see `rules-node/app.go`. */
export const RULES = ['gov', 'extra', 'governors', 'alone', 'twice'] as const
export type Rule = (typeof RULES)[number]

const ADDRESS_PREFIX = 'rules'
/** An open vote is read at its start, and then every 30 seconds: twice with ballots. */
export const VOTING_SECONDS = 66

/** The steward's votes end, prolong or veto a vote. */
export const STEWARD: Person = 'security'
/** As in `rules-node/steward.go`. */
export const PROLONGATION_MS = 8_000
/** Of a governor's own stake. */
export const MIN_GOVERNOR_STAKE = 100_000n * ROLL

// With all of them at work, one base unit more or less decides nothing; which stake counts does.
const POOLS = [
  { moniker: 'Signer', selfTokens: 40_000_000n * ROLL },
  { moniker: 'Harbour', selfTokens: 2_000_000n * ROLL, sharesPerMillion: 1_000_731n },
  { moniker: 'Mill', selfTokens: 1_600_000n * ROLL },
  { moniker: 'Granite', selfTokens: 1_200_000n * ROLL, sharesPerMillion: 1_010_101n },
  { moniker: 'Saltmarsh', selfTokens: 900_000n * ROLL },
]
const WHALES = [
  { name: 'north', pool: 0, tokens: 6_000_000n * ROLL },
  { name: 'south', pool: 0, tokens: 5_000_000n * ROLL },
  { name: 'grain', pool: 0, tokens: 900_000n * ROLL },
  { name: 'east', pool: 1, tokens: 1_500_000n * ROLL },
  { name: 'reed', pool: 1, tokens: 2_500_000n * ROLL },
  { name: 'west', pool: 2, tokens: 1_300_000n * ROLL },
]

export async function createRulesChain(rule: Rule): Promise<ChainSpec> {
  const steward = await createAccount(STEWARD, ADDRESS_PREFIX)
  return {
    program: 'rules-node',
    startArgs: ['--rule', rule],
    chainId: `rollcall-rules-${rule}`,
    addressPrefix: ADDRESS_PREFIX,
    gov: rule === 'governors' || rule === 'alone' ? 'atomone' : 'cosmos',
    periods: { votingSeconds: VOTING_SECONDS, expeditedSeconds: 8, depositSeconds: 20 },
    pools: POOLS,
    whales: WHALES,
    editGenesis: (app) => {
      app.staking.params.max_validators = POOLS.length
      app.rules.steward = steward.address
      app.rules.min_governor_self_delegation = String(MIN_GOVERNOR_STAKE)
    },
  }
}
