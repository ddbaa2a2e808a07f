// A row of the page table as answers show it: the vote record of `schemas/vote.ts`, spelled by the store itself.
import { flag, number, object, power, text, time, when, wholeAmount } from './json-expression.ts'

const sums = (prefix: '' | 'delegator_') => ({
  yes: power(`${prefix}yes_atto`),
  no: power(`${prefix}no_atto`),
  abstain: power(`${prefix}abstain_atto`),
  noWithVeto: power(`${prefix}no_with_veto_atto`),
})

/** Over the columns of `pool_votes`. */
export const VOTE_RECORD = object({
  rank: number('rank'),
  pool: object({
    operatorAddress: text('operator_address'),
    moniker: text('moniker'),
    status: text('status'),
    jailed: flag('jailed'),
  }),
  vote: when(
    'voted',
    object({
      options: text('options'),
      height: number('vote_height'),
      time: time('vote_time'),
      txHash: text('vote_tx_hash'),
    }),
  ),
  votingPower: power('voting_power_atto'),
  bondedTokens: wholeAmount('bonded_tokens'),
  delegators: when(
    'isNotNull(delegator_power_atto)',
    object({
      ballots: number('delegator_ballots'),
      votingPower: power('delegator_power_atto'),
      ...sums('delegator_'),
    }),
  ),
  tally: when('isNotNull(yes_atto)', object(sums(''))),
})
