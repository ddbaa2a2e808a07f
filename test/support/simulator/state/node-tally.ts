// The tally of an open vote as the node of a simulated chain computes it.
import type { TallyResult, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { PoolState, TallyCounts } from '../../../../ingest/contract/facts.ts'
import { type Recomputable, tally } from '../../../../ingest/tally/tally.ts'
import { account, operator } from '../addresses.ts'

export type PoolInState = {
  tokens: bigint
  status: number
  jailed: boolean
  /** One share per token by default. */
  shares?: bigint
  moniker?: string
}

/** What a tally counts. Votes are by proposal. */
export type TalliedState = {
  votes: Map<string, Vote[]>
  /** By pool name. */
  pools: Map<string, PoolInState>
  /** Delegator name → pool name → shares. */
  delegations: Map<string, Map<string, bigint>>
  /** Units of a share: 1 by default, else 10 ** 18. */
  shareUnits?: bigint
}

const OPTIONS: readonly string[] = ['unspecified', 'yes', 'abstain', 'no', 'no_with_veto']
const BONDED = 3
const ATTO = 10n ** 18n

/** In units of 1e-18. */
export const toAtto = (shares: bigint, { shareUnits = 1n }: TalliedState): bigint =>
  (shares * ATTO) / shareUnits

const toDecimal = (shares: bigint, state: TalliedState): string => {
  const atto = toAtto(shares, state)
  return `${atto / ATTO}.${(atto % ATTO).toString().padStart(18, '0')}`
}

const toPools = (state: TalliedState) =>
  [...state.pools].map(([name, { tokens, status, jailed, shares = tokens }]) => {
    const pool: PoolState = {
      operatorAddress: operator(name),
      accountAddress: account(name),
      moniker: name,
      tokens: tokens.toString(),
      delegatorShares: toDecimal(shares, state),
      status: status === BONDED ? 'bonded' : 'unbonded',
      jailed,
    }
    return { pool, counted: status === BONDED && !jailed }
  })

const toBallots = (state: TalliedState, id: string) => {
  const { votes, delegations } = state
  const byVoter = new Map([...delegations].map(([name, own]) => [account(name), own]))
  return (votes.get(id) ?? []).map(({ voter, options }) => ({
    voter,
    options: options.map(({ option, weight }) => ({
      option: OPTIONS[option] ?? `option_${option}`,
      weight,
    })),
    delegations: [...(byVoter.get(voter) ?? [])].map(([pool, amount]) => ({
      operatorAddress: operator(pool),
      shares: toDecimal(amount, state),
    })),
  }))
}

/** As x/gov stores it; an option without a count has no vote. */
export const toTallyResult = ({
  yes = '0',
  abstain = '0',
  no = '0',
  noWithVeto = '0',
}: Partial<TallyCounts> = {}): TallyResult => ({
  yesCount: yes ?? '',
  abstainCount: abstain ?? '',
  noCount: no ?? '',
  noWithVetoCount: noWithVeto ?? '',
})

/** `strategy`: which account votes with the stake of silent owners. */
export const tallyInState = (
  state: TalliedState,
  id: string,
  strategy: Recomputable = 'inherit',
): TallyResult => toTallyResult(tally(toPools(state), toBallots(state, id), strategy).counts)
