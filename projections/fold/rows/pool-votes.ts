// Creates the row of one pool's part in a voting round.
import type { PoolVoteRow } from '../../contract/read-model.ts'
import type { PoolEntry } from '../ballot.ts'
import type { ExactTally } from '../exact-tally.ts'
import type { PoolRegistry } from '../pool-registry.ts'
import type { PricedPool, Pricing } from '../pricing.ts'
import type { VotingRound } from '../voting-round.ts'

const ownVoteColumns = ({ ownVote }: Readonly<PoolEntry>) => ({
  voted: ownVote !== undefined,
  options: ownVote?.options ?? [],
  vote_height: ownVote?.height?.toString() ?? null,
  vote_time: ownVote?.time ?? null,
  vote_tx_hash: ownVote?.txHash ?? null,
})

const powerColumns = (priced: PricedPool | undefined) => ({
  voting_power_atto: priced?.votingPower.toString() ?? null,
  delegator_power_atto: priced?.delegatorPower.toString() ?? null,
  delegator_yes_atto: priced?.delegators.yes.toString() ?? null,
  delegator_abstain_atto: priced?.delegators.abstain.toString() ?? null,
  delegator_no_atto: priced?.delegators.no.toString() ?? null,
  delegator_no_with_veto_atto: priced?.delegators.noWithVeto.toString() ?? null,
  yes_atto: priced?.total.yes.toString() ?? null,
  abstain_atto: priced?.total.abstain.toString() ?? null,
  no_atto: priced?.total.no.toString() ?? null,
  no_with_veto_atto: priced?.total.noWithVeto.toString() ?? null,
})

/** The state of a pool: as of the tally if known, else as last observed. */
type ShownPool = {
  moniker: string
  status: string
  jailed: boolean
  counted: boolean
  tokens: string
}

const shownPool = (
  exact: ExactTally | undefined,
  registry: PoolRegistry,
  operatorAddress: string,
): ShownPool | undefined => {
  const tallied = exact?.pools.get(operatorAddress)
  if (tallied) {
    const { pool, counted } = tallied
    return { ...pool, counted: counted || pool.status !== 'bonded' || pool.jailed }
  }
  const observed = registry.pool(operatorAddress)
  return observed && { ...observed, tokens: observed.tokens.toString() }
}

export const poolVoteRow = (
  round: VotingRound,
  entry: Readonly<PoolEntry>,
  pricing: Pricing,
): PoolVoteRow => {
  const shown = shownPool(round.exact, pricing.registry, entry.operatorAddress)
  return {
    proposal_id: round.proposalId,
    round: round.round,
    rank: entry.rank,
    operator_address: entry.operatorAddress,
    moniker: shown?.moniker ?? '',
    status: shown?.status ?? 'unspecified',
    jailed: shown?.jailed ?? false,
    counted: shown?.counted ?? true,
    ...ownVoteColumns(entry),
    bonded_tokens: shown?.tokens ?? null,
    delegator_ballots: entry.delegatorBallots,
    ...powerColumns(pricing.getPrice(entry)),
    version: entry.at.digits,
  }
}
