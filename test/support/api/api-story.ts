// A read model with one case of each feature of the API: 45 proposals, an open vote of 250 pools, a restarted vote.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import {
  clearReadModel,
  poolVoteRow,
  proposalRow,
  seed,
  tallyRow,
  timestampAt,
} from '../store/read-model-seed.ts'

export const STORY_HEIGHT = 100
export const OPEN_VOTE = 45
export const CLOSED_VOTE = 44
export const RESTARTED_VOTE = 43
export const IN_DEPOSIT = 42
export const OF_OLD = 41
export const MARKUP_TITLE =
  '<script>alert("1")</script> & \u0000"quoted" \\ 投票 🗳️ \u202Eright to left'

const closed = (height: number) => ({
  status: 'passed',
  closed_time: timestampAt(height),
  closed_height: String(height),
})

const ranks = (count: number) => Array.from({ length: count }, (_, rank) => rank)

export const seedStory = async (store: Store): Promise<void> => {
  await clearReadModel(store)
  const others = ranks(40).map((n) => n + 1)
  await seed(store, {
    height: STORY_HEIGHT,
    tip: STORY_HEIGHT + 1,
    proposals: [
      ...others.map((id) => proposalRow(id, 20, { ...closed(20), proposer: 'test1other' })),
      proposalRow(OF_OLD, 10, {
        ...closed(10),
        closed_time: null,
        closed_height: null,
        submitted_height: null,
        proposer: null,
        history: 'partial',
        history_reason: 'closed before the first height',
      }),
      proposalRow(IN_DEPOSIT, 30, {
        status: 'deposit_period',
        round: 0,
        metadata: 'ipfs://x',
        failed_reason: '',
        voting_start_time: null,
        voting_end_time: null,
      }),
      proposalRow(RESTARTED_VOTE, 40, { round: 2 }),
      proposalRow(CLOSED_VOTE, 50, { ...closed(50), title: 'Fund the observatory' }),
      proposalRow(OPEN_VOTE, 60, { title: MARKUP_TITLE }),
    ],
    tallies: [
      tallyRow(OF_OLD, 10, {
        final: true,
        bonded_tokens: null,
        pools_voted: null,
        ballots: null,
        quorum: null,
        threshold: null,
        veto_threshold: null,
      }),
      tallyRow(RESTARTED_VOTE, 39, { final: true, pool_rows: 3 }),
      tallyRow(RESTARTED_VOTE, 40, { round: 2, pool_rows: 1 }),
      tallyRow(CLOSED_VOTE, 50, {
        final: true,
        matches_chain: 'yes',
        matches_chain_reason: null,
        pool_rows: 2,
        stake_height: '49',
      }),
      tallyRow(OPEN_VOTE, 60, { pool_rows: 250, stake_height: '58' }),
    ],
    poolVotes: [
      ...ranks(3).map((rank) => poolVoteRow(RESTARTED_VOTE, rank, { height: 39 })),
      poolVoteRow(RESTARTED_VOTE, 0, { height: 40, round: 2, moniker: 'second round' }),
      ...ranks(2).map((rank) => poolVoteRow(CLOSED_VOTE, rank, { height: 50 })),
      ...ranks(248).map((rank) => poolVoteRow(OPEN_VOTE, rank, { height: 60 })),
      poolVoteRow(OPEN_VOTE, 248, { height: 60, voted: false, options: [] }),
      poolVoteRow(OPEN_VOTE, 249, {
        height: 60,
        vote_height: null,
        vote_time: null,
        vote_tx_hash: null,
        voting_power_atto: null,
        bonded_tokens: null,
        delegator_power_atto: null,
        yes_atto: null,
        no_atto: null,
        abstain_atto: null,
        no_with_veto_atto: null,
      }),
    ],
    marks: [
      ...others.map((id) => ({ id, height: 20, final: true })),
      { id: OF_OLD, height: 10, final: true },
      { id: IN_DEPOSIT, height: 30 },
      { id: RESTARTED_VOTE, height: 40 },
      { id: CLOSED_VOTE, height: 50, final: true },
      { id: OPEN_VOTE, height: 60 },
    ],
  })
}
