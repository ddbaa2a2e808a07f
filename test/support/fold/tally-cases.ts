// Pools, delegations and ballots by name, for tests of the tally: amounts in millions of base units, one share per unit.
import { isCounted } from '../../../ingest/contract/delegation.ts'
import type { GovParams, PoolState, WeightedOption } from '../../../ingest/contract/facts.ts'
import type { TallyBallot, TallyPool } from '../../../ingest/tally/tally.ts'

export const MILLION = 1_000_000n

export type PoolSketch = { tokens: number; status?: PoolState['status']; jailed?: boolean }
export type CaseSketch = {
  pools: Readonly<Record<string, PoolSketch>>
  /** Delegator → pool → amount. An operator has the name of its pool. */
  delegations: Readonly<Record<string, Readonly<Record<string, number>>>>
  votes: Readonly<Record<string, string>>
}

export const WHOLE = '1.000000000000000000'

export const vote = (option: string): WeightedOption[] => [{ option, weight: WHOLE }]

const units = (amount: number): string => (BigInt(amount) * MILLION).toString()

export const tallyPool = (name: string, sketch: PoolSketch): TallyPool => {
  const { tokens, status = 'bonded', jailed = false } = sketch
  return {
    counted: status === 'bonded' && !jailed,
    pool: {
      operatorAddress: `operator-${name}`,
      accountAddress: name,
      moniker: name,
      tokens: units(tokens),
      delegatorShares: `${units(tokens)}.000000000000000000`,
      status,
      jailed,
    },
  }
}

/** As a final reading has them. */
export const toTallyPools = (pools: readonly PoolState[]): TallyPool[] =>
  pools.map((pool) => ({ pool, counted: isCounted(pool) }))

export const createPools = ({ pools }: Pick<CaseSketch, 'pools'>): TallyPool[] =>
  Object.entries(pools).map(([name, sketch]) => tallyPool(name, sketch))

export const createBallots = ({ votes, delegations }: CaseSketch): TallyBallot[] =>
  Object.entries(votes).map(([voter, option]) => ({
    voter,
    options: vote(option),
    delegations: Object.entries(delegations[voter] ?? {}).map(([pool, amount]) => ({
      operatorAddress: `operator-${pool}`,
      shares: `${units(amount)}.000000000000000000`,
    })),
  }))

/** The defaults of x/gov. */
export const DEFAULT_RULES: Pick<
  GovParams,
  'quorum' | 'threshold' | 'vetoThreshold' | 'expeditedThreshold'
> = { quorum: '0.334', threshold: '0.5', vetoThreshold: '0.334', expeditedThreshold: '0.667' }
