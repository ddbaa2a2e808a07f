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
  /** Replaces `shares`, in units of 1e-18. */
  attoShares?: bigint
  moniker?: string
}

/** What a tally counts. Votes are by proposal. */
export type TalliedState = {
  votes: Map<string, Vote[]>
  /** By pool name. */
  pools: Map<string, PoolInState>
  /** Delegator name → pool name → tokens. */
  delegations: Map<string, Map<string, bigint>>
  /** Replaces `delegations`: shares in units of 1e-18. */
  attoDelegations?: Map<string, Map<string, bigint>>
}

const OPTIONS: readonly string[] = ['unspecified', 'yes', 'abstain', 'no', 'no_with_veto']
const BONDED = 3
const ATTO = 10n ** 18n

const toDecimal = (atto: bigint): string =>
  `${atto / ATTO}.${(atto % ATTO).toString().padStart(18, '0')}`

const toPools = ({ pools }: TalliedState) =>
  [...pools].map(([name, { tokens, status, jailed, shares, attoShares }]) => {
    const pool: PoolState = {
      operatorAddress: operator(name),
      accountAddress: account(name),
      moniker: name,
      tokens: tokens.toString(),
      delegatorShares: toDecimal(attoShares ?? (shares ?? tokens) * ATTO),
      status: status === BONDED ? 'bonded' : 'unbonded',
      jailed,
    }
    return { pool, counted: status === BONDED && !jailed }
  })

const toBallots = ({ votes, delegations, attoDelegations }: TalliedState, id: string) => {
  const toShares = (amount: bigint) => toDecimal(attoDelegations ? amount : amount * ATTO)
  const byVoter = new Map(
    [...(attoDelegations ?? delegations)].map(([name, own]) => [account(name), own]),
  )
  return (votes.get(id) ?? []).map(({ voter, options }) => ({
    voter,
    options: options.map(({ option, weight }) => ({
      option: OPTIONS[option] ?? `option_${option}`,
      weight,
    })),
    delegations: [...(byVoter.get(voter) ?? [])].map(([pool, amount]) => ({
      operatorAddress: operator(pool),
      shares: toShares(amount),
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
