// A read model for all lists except proposals: ballots, pools, records, events and evidence of a few votes.

import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { addressKey } from '../../../ingest/contract/address.ts'
import { toPosition } from '../../../ingest/contract/envelope.ts'
import { params, pool } from '../log/governance-values.ts'
import { account, operator } from '../simulator/addresses.ts'
import {
  CHAIN_ID,
  clearReadModel,
  poolVoteRow,
  proposalRow,
  seed,
  tallyRow,
  timeAt,
  timestampAt,
} from '../store/read-model-seed.ts'
import type { BallotRow, PoolRow } from '../store/stored-rows.ts'
import { useTestStore } from '../store/test-store.ts'
import { createApiRig } from './api-rig.ts'

export const LISTS_HEIGHT = 100
/** Open, with 2,500 ballots. */
export const BIG_VOTE = 300
/** Closed at 50, with evidence in five chunks. */
export const TALLIED_VOTE = 299
/** Fell back at 39: one ballot in its first round, none in its second. */
export const SECOND_ROUND = 298
export const BEFORE_VOTE = 297
export const BALLOTS = 2_500
export const EVIDENCE_BALLOTS = 2_300
export const BUSY = operator('busy')
export const IDLE = operator('idle')
export const FREQUENT = account('frequent')

const YES = [{ option: 'yes', weight: '1.000000000000000000' }]
const ONE = 10n ** 18n

export const positionAt = (height: number): string => toPosition({ height, index: 1 }).toString()

export const createVoter = (rank: number): string => account(`voter ${rank}`)

export const ballotRow = (
  id: number,
  rank: number,
  { height, ...changes }: { height: number } & Partial<Omit<BallotRow, 'height'>>,
): BallotRow => ({
  proposal_id: String(id),
  round: 1,
  rank,
  voter: createVoter(rank),
  voter_key: addressKey(changes.voter ?? createVoter(rank)),
  options: YES,
  counted: true,
  in_state: true,
  height: String(height),
  time: timestampAt(height),
  tx_hash: 'EF'.repeat(32),
  metadata: null,
  memo: null,
  known_time: timestampAt(height),
  first_time: timestampAt(height),
  voting_power_atto: null,
  delegations_known: true,
  delegations: [
    { operator_address: BUSY, shares: '10.000000000000000000', voting_power_atto: null },
  ],
  version: positionAt(height),
  ...changes,
})

export const poolRow = (
  operatorAddress: string,
  tokens: string,
  changes: Partial<PoolRow> = {},
): PoolRow => ({
  operator_address: operatorAddress,
  account_address: account(`of ${operatorAddress}`),
  account_key: addressKey(changes.account_address ?? account(`of ${operatorAddress}`)),
  moniker: `pool of ${tokens}`,
  tokens,
  delegator_shares: `${tokens}.000000000000000000`,
  status: 'bonded',
  jailed: false,
  counted: true,
  version: positionAt(10),
  ...changes,
})

export const missedRow = (id: number, operatorAddress: string, round = 1) => ({
  operator_address: operatorAddress,
  proposal_id: String(id),
  round,
  moniker: 'as of the tally',
  bonded_tokens: '1900',
  voting_power_atto: `${1_900n * ONE}`,
  version: positionAt(20),
})

export const createEvent = (
  type: string,
  at: { height: number; index: number; proposalId: number; data?: object },
) => {
  const { height, index, proposalId, data = {} } = at
  return {
    specversion: '1.0',
    id: `${CHAIN_ID}/${height}/${index}`,
    source: `/chains/${CHAIN_ID}`,
    subject: `proposals/${proposalId}`,
    type: `rollcall.${type}.v1`,
    time: timeAt(height),
    datacontenttype: 'application/json',
    height,
    index,
    data: { proposalId: String(proposalId), ...data },
  }
}

export const eventRow = (event: ReturnType<typeof createEvent>, text = JSON.stringify(event)) => ({
  position: toPosition(event).toString(),
  proposal_id: event.data.proposalId,
  type: event.type,
  id: event.id,
  height: String(event.height),
  time: timestampAt(event.height),
  depositor_key: '',
  event: text,
})

export const GOV_PARAMS = params()

const evidenceBallot = (number: number) => ({
  voter: createVoter(number),
  options: YES,
  delegations: [{ operatorAddress: BUSY, shares: '10.000000000000000000' }],
})

const CHUNKS_OF_POOLS = [
  [pool('p1', { counted: false }), pool('p2')],
  [pool('p3'), pool('p4')],
]

/** Pools in the first two chunks; the others have 700 ballots each, and the last one the rest. */
export const evidenceEvents = (id: number, height: number) => {
  const ballots = Array.from({ length: EVIDENCE_BALLOTS }, (_, number) => evidenceBallot(number))
  return [0, 1, 2, 3, 4].map((chunk) =>
    createEvent('round.read', {
      height,
      index: 10 + chunk,
      proposalId: id,
      data: {
        chunk,
        chunks: 5,
        round: 1,
        stateHeight: height,
        final: true,
        allBallots: true,
        allPools: true,
        complete: true,
        incompleteReason: null,
        ...(chunk === 0 ? { params: GOV_PARAMS, bondedTokens: '10000' } : {}),
        pools: CHUNKS_OF_POOLS[chunk] ?? [],
        ballots: chunk === 0 ? [] : ballots.slice((chunk - 1) * 700, chunk * 700),
      },
    }),
  )
}

const ballots = (): BallotRow[] => [
  ...Array.from({ length: BALLOTS }, (_, rank) => ballotRow(BIG_VOTE, rank, { height: 60 })),
  ballotRow(TALLIED_VOTE, 0, { height: 50, voter: FREQUENT, voting_power_atto: `${3n * ONE}` }),
  ballotRow(TALLIED_VOTE, 1, { height: 50, counted: false, tx_hash: null, delegations: [] }),
  ballotRow(SECOND_ROUND, 0, { height: 39, voter: FREQUENT, tx_hash: null, time: null }),
]

const olderRecords = () => {
  const ids = Array.from({ length: 250 }, (_, n) => n + 1)
  const closed = { status: 'rejected', closed_time: timestampAt(20), closed_height: '20' }
  return {
    proposals: ids.map((id) => proposalRow(id, 20, closed)),
    poolVotes: ids.map((id) => poolVoteRow(id, 0, { height: 20, operator_address: BUSY })),
    ballots: ids.map((id) => ballotRow(id, 0, { height: 20, voter: FREQUENT })),
    missed: [...ids.slice(0, 7).map((id) => missedRow(id, IDLE)), missedRow(1, BUSY, 2)],
    marks: ids.map((id) => ({ id, height: 20, final: true })),
  }
}

const storedEvents = () => [
  ...Array.from({ length: 250 }, (_, n) =>
    createEvent('vote.cast', { height: 60, index: n + 1, proposalId: BIG_VOTE }),
  ),
  createEvent('proposal.submitted', { height: 30, index: 5, proposalId: TALLIED_VOTE }),
  createEvent('proposal.deposited', {
    height: 30,
    index: 6,
    proposalId: TALLIED_VOTE,
    data: { depositor: FREQUENT, txHash: null, amount: [{ denom: 'utest', amount: '5' }] },
  }),
  createEvent('proposal.closed', { height: 50, index: 1, proposalId: TALLIED_VOTE }),
  ...evidenceEvents(TALLIED_VOTE, 50),
  createEvent('pools.observed', { height: 50, index: 90, proposalId: 0 }),
]

const LIGHT_BLOCK = {
  height: '11',
  hash: 'CD'.repeat(32),
  header_time: timestampAt(11),
  header: '{}',
  commit: '{}',
  validators_hash: 'AB'.repeat(32),
  reason: null,
  time: timestampAt(12),
  version: '1',
}

export const seedListsStory = async (store: Store): Promise<void> => {
  await clearReadModel(store)
  const older = olderRecords()
  await seed(store, {
    height: LISTS_HEIGHT,
    ballots: [...ballots(), ...older.ballots],
    missedVotes: older.missed,
    events: storedEvents().map((event) => eventRow(event)),
    lightBlocks: [LIGHT_BLOCK],
    pools: [
      poolRow(BUSY, '4000'),
      poolRow(IDLE, '2000'),
      poolRow(operator('jailed'), '123456789012345678901234567890', { jailed: true }),
      ...Array.from({ length: 120 }, (_, n) => poolRow(operator(`small ${n}`), '7')),
    ],
    proposals: [
      ...older.proposals,
      proposalRow(BIG_VOTE, 60),
      proposalRow(TALLIED_VOTE, 50, {
        status: 'passed',
        closed_height: '50',
        closed_time: timestampAt(50),
      }),
      proposalRow(SECOND_ROUND, 40, { round: 2 }),
      proposalRow(BEFORE_VOTE, 30, { status: 'deposit_period', round: 0 }),
    ],
    tallies: [
      tallyRow(BIG_VOTE, 60, { ballots: BALLOTS, pool_rows: 1 }),
      tallyRow(TALLIED_VOTE, 50, { final: true, ballots: EVIDENCE_BALLOTS, pool_rows: 1 }),
      tallyRow(SECOND_ROUND, 39, {
        final: true,
        ballots: 1,
        pool_rows: 0,
        matches_chain_reason: 'the log has no evidence of the tally',
      }),
      tallyRow(SECOND_ROUND, 40, { round: 2, ballots: 0, pool_rows: 0 }),
    ],
    poolVotes: [
      ...older.poolVotes,
      poolVoteRow(BIG_VOTE, 0, { height: 60, operator_address: BUSY }),
      poolVoteRow(TALLIED_VOTE, 0, { height: 50, operator_address: IDLE, voted: false }),
    ],
    marks: [
      ...older.marks,
      { id: BIG_VOTE, height: 60 },
      { id: TALLIED_VOTE, height: 50, final: true },
      { id: SECOND_ROUND, height: 40 },
      { id: BEFORE_VOTE, height: 30 },
    ],
  })
}

/** The API over this read model. The result sets a test up. `changes`: it writes rows, so the next test seeds the store again. */
export const useListsRig = () => {
  const testStore = useTestStore()
  let isSeeded = false
  return async ({ changes = false } = {}) => {
    const { store } = testStore
    if (!isSeeded) await seedListsStory(store)
    isSeeded = !changes
    return { ...(await createApiRig(store)), tables: store }
  }
}
