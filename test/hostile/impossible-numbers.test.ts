// Impossible numbers and rows that cannot be stored do not stop indexing: the number is null with its reason and a log line.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { type RebuildRig, startRebuildRig } from '../support/fold/rebuild-rig.ts'
import {
  createHeightEvents,
  firstReading,
  reading,
  stakeOf,
  submitted,
  toLogEntry,
  vote,
  votingStarted,
  votingState,
} from '../support/log/governance-events.ts'
import { all, params, pool, to } from '../support/log/governance-values.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import type { ProposalRow, TallyRow } from '../support/store/stored-rows.ts'

let rig: RebuildRig
beforeAll(async () => {
  rig = await startRebuildRig()
})
beforeEach(() => rig.clear())
afterAll(() => rig?.stop())

const read = <Row>(table: string) =>
  rig.store.select<Row>(`SELECT * FROM ${toDatabaseName(1, rig.control)}.${table} FINAL`)

const createLog = async (heights: readonly GovernanceEvent[][]): Promise<EventLog> => {
  const log = openMemoryLog()
  for (const height of heights) await log.append(height.map(toLogEntry))
  return log
}

const TOKENS = '190000013'
const opening = [
  createHeightEvents(1, [submitted('7')], 1),
  createHeightEvents(
    2,
    [
      votingStarted('7'),
      firstReading(
        '7',
        [pool('small', { tokens: TOKENS }), pool('big', { tokens: '5000000000' })],
        { bondedTokens: '5190000013' },
      ),
    ],
    1,
  ),
]
const voters = createHeightEvents(
  3,
  [
    vote('7', 'small-account'),
    vote('7', 'mover', { options: all('no') }),
    reading('7', {
      ballots: [stakeOf('small-account', to('small', '1')), stakeOf('mover', to('big', '5'))],
    }),
  ],
  1,
)
const readStake = (...stake: Parameters<typeof stakeOf>) =>
  reading('7', { ballots: [stakeOf(...stake)] })
const readPools = (pools: ReturnType<typeof pool>[], bondedTokens: string) =>
  reading('7', { pools, bondedTokens, params: params() })
/** Together, the delegations to the small pool exceed its last known stake. */
const moved = createHeightEvents(
  4,
  [
    vote('7', 'other', { options: all('no') }),
    reading('7', {
      ballots: [
        stakeOf('mover', to('small', '100000000')),
        stakeOf('other', to('small', '150000000')),
      ],
    }),
  ],
  1,
)

it('the API serves null with a reason if more is deducted from a pool than it has', {
  tags: 'projections:impossible-number-is-null',
}, async () => {
  const { logger, lines } = recordingLogger()
  const projections = await rig.start(await createLog([...opening, voters, moved]), {}, { logger })
  expect(projections.progress()).toMatchObject({ height: 4, isCaughtUp: true })
  const api = await createApiRig(rig.store)
  const answer = (await api.ask('/api/proposals/7')).json()
  expect(answer.asOf.height).toBe(4)
  expect(answer.tally).toMatchObject({
    yes: null,
    no: null,
    abstain: null,
    noWithVeto: null,
    turnout: null,
    matchesChain: 'unknown',
    final: false,
    matchesChainReason:
      'the numbers of pool small-operator are impossible: its deductions exceed its power',
  })
  const votes = answer.votes.items as { pool: { operatorAddress: string }; tally: unknown }[]
  const small = votes.find((row) => row.pool.operatorAddress === 'small-operator')
  expect(small).toMatchObject({ votingPower: null, tally: null, delegators: null })
  expect(lines.filter(({ msg }) => msg === 'left out impossible live numbers')).toHaveLength(1)
  await api.close()
})

it('the API serves the numbers without the stake of a voter who has more of a pool than exists', async () => {
  const tooMuch = createHeightEvents(4, [readStake('mover', to('small', '1000000000'))], 1)
  await rig.start(await createLog([...opening, voters, tooMuch]))
  const [row] = await read<TallyRow>('tallies')
  expect(row).toMatchObject({ yes: '190000013', no: '0' })
  expect(row?.matches_chain_reason).toBe(
    'the stake of mover is left out: it has more shares of pool small-operator than exist, and could weigh up to 190000013',
  )
})

it('the API serves no sum above all bonded tokens', {
  tags: 'projections:impossible-number-is-null',
}, async () => {
  const less = readPools([], '100')
  await rig.start(await createLog([...opening, voters, createHeightEvents(4, [less], 1)]))
  const [row] = await read<TallyRow>('tallies')
  expect(row).toMatchObject({ yes: null, no: null, live_yes_atto: null })
  expect(row?.matches_chain_reason).toMatch(/more than all bonded tokens/)
})

const HUGE = '9'.repeat(100)
const ALERTS = ['left out a row that was refused', 'could not decode a record']
const quiet = createHeightEvents(5, [vote('7', 'later'), readStake('later', to('big', '2'))], 1)

const refused = (row: string, value: string) =>
  new RegExp(`^Rollcall stopped this proposal at height 4: the row ${row} was refused: ${value}`)

it.each<[string, GovernanceEvent[], RegExp | null]>([
  [
    'tokens of a pool',
    createHeightEvents(4, [readPools([pool('big', { tokens: HUGE })], '5190000013')], 1),
    refused('7/1/1 of pool_votes', 'voting_power_atto is "9+…, which is not a Nullable'),
  ],
  // Only the row of the pool has them.
  [
    'the shares of a pool',
    createHeightEvents(4, [readPools([pool('big', { delegatorShares: HUGE })], '5190000013')], 1),
    null,
  ],
  [
    'the bonded total',
    createHeightEvents(4, [readPools([], HUGE)], 1),
    refused('7/1 of tallies', 'bonded_tokens is "9+…, which is not a Nullable'),
  ],
  [
    'a voting round',
    createHeightEvents(4, [vote('7', 'later', { round: 70_000 })], 1),
    /a record of height 4 could not be decoded/,
  ],
])(
  'the projections report it if %s exceeds every column, and stop only what has it',
  { tags: 'projections:unstorable-row' },
  async (_, wrong, reason) => {
    const { logger, lines } = recordingLogger()
    const others = createHeightEvents(5, [submitted('8')], 1)
    const heights = [...opening, voters, wrong, others, createHeightEvents(6, [vote('7', 'x')], 1)]
    const projections = await rig.start(await createLog(heights), { batchEvents: 1 }, { logger })
    expect(projections.progress()).toMatchObject({ height: 6, isCaughtUp: true })
    const rows = await read<ProposalRow>('proposals')
    const [row, other] = ['7', '8'].map((id) => rows.find(({ proposal_id }) => proposal_id === id))
    expect(other).toMatchObject({ history: 'complete' })
    expect(row).toMatchObject({ history: reason ? 'partial' : 'complete' })
    if (reason) expect(row?.history_reason).toMatch(reason)
    const isStopped = row?.history_reason?.includes('stopped') ?? false
    expect([...projections.progress().stopped.keys()]).toEqual(isStopped ? ['7'] : [])
    // What is stored of a stopped proposal stays of one height.
    const ballots = (await read<{ voter: string }>('ballots')).map(({ voter }) => voter)
    expect(ballots.includes('x')).toBe(!isStopped)
    // Its watermark passes the stop: readers notice by it.
    const watermarks = await read<{ proposal_id: string; position: string }>('watermarks')
    const last = watermarks.find(({ proposal_id }) => proposal_id === '7')?.position ?? 0
    expect(toHeight(BigInt(last))).toBe(isStopped ? 4 : 6)
    expect(lines.filter(({ msg }) => ALERTS.includes(String(msg))).length).toBeGreaterThan(0)
    // Without the check, the store would accept it modulo 2^256.
    const stored = await read<{ tokens: string }>('pools')
    expect(stored.every(({ tokens }) => tokens.length < 12)).toBe(true)
  },
)

it('ingest continues if a proposal has an impossible id', async () => {
  const strange = createHeightEvents(4, [submitted(HUGE), vote(HUGE, 'later')], 1)
  const projections = await rig.start(await createLog([...opening, voters, strange, quiet]))
  expect(projections.progress()).toMatchObject({ height: 5, isCaughtUp: true })
  expect(await read<ProposalRow>('proposals')).toMatchObject([{ proposal_id: '7' }])
})

it('the projections store a title with half a character', async () => {
  const proposal = votingState('7', { title: 'half \ud83d', summary: '\ude00 half' })
  const restated = createHeightEvents(
    3,
    [submitted('8', { proposal: { ...proposal, proposalId: '8' } })],
    1,
  )
  await rig.start(await createLog([...opening, restated]))
  const rows = await read<ProposalRow>('proposals')
  expect(rows.find((row) => row.proposal_id === '8')).toMatchObject({
    title: 'half \ufffd',
    summary: '\ufffd half',
    history: 'complete',
  })
})

it('a row that the store refuses stops its proposal in the words of the store, and all others go on', {
  tags: 'projections:unstorable-row',
}, async () => {
  await rig.store.command(
    `ALTER TABLE ${toDatabaseName(1, rig.control)}.ballots ADD CONSTRAINT no_such CHECK voter != 'voter-13'`,
  )
  const many = Array.from({ length: 40 }, (_, n) => vote('7', `voter-${n}`))
  const log = await createLog([...opening, createHeightEvents(3, many, 1)])
  const first = await rig.start(log)
  const ballots = await read<{ voter: string }>('ballots')
  expect(ballots).toHaveLength(39)
  expect(ballots.map(({ voter }) => voter)).not.toContain('voter-13')
  // A restarted process, which has not seen the refusal, knows it.
  await first.close()
  await log.append(createHeightEvents(6, [submitted('9'), vote('7', 'later')], 1).map(toLogEntry))
  const second = await rig.start(log)
  const rows = await read<ProposalRow>('proposals')
  const reason = rows.find((row) => row.proposal_id === '7')?.history_reason
  expect(reason).toMatch(
    /^Rollcall stopped this proposal at height \d+: the row 7\/1\/13 of ballots was refused: .*no_such/,
  )
  expect(second.progress().stopped).toEqual(new Map([['7', reason]]))
  expect(rows.find((row) => row.proposal_id === '9')).toMatchObject({ history: 'complete' })
  expect(await read('ballots')).toHaveLength(39)
  const api = await createApiRig(rig.store)
  expect((await api.ask('/api/proposals/7')).json()).toMatchObject({
    history: 'partial',
    historyReason: reason,
  })
  await api.close()
})

it('the projections end if the table itself is different', async () => {
  await rig.store.command(
    `ALTER TABLE ${toDatabaseName(1, rig.control)}.proposals DROP COLUMN history_reason`,
  )
  await expect(rig.start(await createLog(opening))).rejects.toMatchObject({ code: 'STORE_REFUSED' })
})
