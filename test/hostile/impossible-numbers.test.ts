// Impossible numbers and rows that cannot be stored do not stop indexing: the number is null with its reason and a log line.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { listLetters } from '../../projections/rebuild/dead-letters.ts'
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
/** One delegation alone exceeds it. */
const tooMuch = createHeightEvents(4, [readStake('mover', to('small', '1000000000'))], 1)

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
  await rig.start(await createLog([...opening, voters, tooMuch]))
  const [row] = await read<TallyRow>('tallies')
  expect(row).toMatchObject({ yes: '190000013', no: '0' })
  expect(row?.matches_chain_reason).toBe(
    'the stake of mover is left out: it has more shares of pool small-operator than exist, and could weigh up to 190000013',
  )
})

it.each([
  ['of a pool', moved, { yes: '940000013', no: '250000000' }],
  ['of one voter', tooMuch, { yes: '190000013', no: '1000000000' }],
])('the API serves the numbers %s again as soon as they are possible', async (_, stake, sums) => {
  const seen = readPools([pool('small', { tokens: '1190000013' })], '6190000013')
  const log = await createLog([...opening, voters, stake, createHeightEvents(5, [seen], 1)])
  await rig.start(log)
  const [row] = await read<TallyRow>('tallies')
  expect(row).toMatchObject(sums)
  expect(row?.matches_chain_reason).toBe('the vote is still open')
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

it('the fold gives the same rows for all batches of the heights', async () => {
  const heights = [...opening, voters, moved]
  await rig.start(await createLog(heights))
  const whole = await rig.tables(1)
  await rig.clear()
  await rig.start(await createLog(heights), { batchEvents: 1 })
  expect(await rig.tables(1)).toEqual(whole)
})

const HUGE = '9'.repeat(100)
const ALERTS = ['could not store a row without changes', 'kept an undecodable record']
const quiet = createHeightEvents(5, [vote('7', 'later'), readStake('later', to('big', '2'))], 1)

it.each<[string, GovernanceEvent[]]>([
  [
    'tokens of a pool',
    createHeightEvents(4, [readPools([pool('big', { tokens: HUGE })], '5190000013')], 1),
  ],
  [
    'the shares of a pool',
    createHeightEvents(4, [readPools([pool('big', { delegatorShares: HUGE })], '5190000013')], 1),
  ],
  ['the bonded total', createHeightEvents(4, [readPools([], HUGE)], 1)],
  ['a voting round', createHeightEvents(4, [vote('7', 'later', { round: 70_000 })], 1)],
])(
  'ingest continues and reports it if %s exceeds every column',
  { tags: 'projections:unstorable-row' },
  async (_, wrong) => {
    const { logger, lines } = recordingLogger()
    const heights = [...opening, voters, wrong, quiet]
    const projections = await rig.start(await createLog(heights), {}, { logger })
    expect(projections.progress()).toMatchObject({ height: 5, isCaughtUp: true })
    const { letters } = await listLetters(rig.store, rig.control)
    expect(letters.length).toBeGreaterThan(0)
    const [row] = await read<ProposalRow>('proposals')
    expect(row?.history).toBe('partial')
    expect(row?.history_reason).toMatch(
      /could be stored: [a-z_]+\.[a-z_]+ cannot hold|could not be decoded/,
    )
    expect(lines.filter(({ msg }) => ALERTS.includes(msg)).length).toBeGreaterThan(0)
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
  const { letters } = await listLetters(rig.store, rig.control)
  expect(letters.length).toBeGreaterThan(0)
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

it('the projections keep a row that the store rejects as a dead letter, and write all other rows of the batch', {
  tags: 'projections:unstorable-row',
}, async () => {
  await rig.store.command(
    `ALTER TABLE ${toDatabaseName(1, rig.control)}.ballots ADD CONSTRAINT no_such CHECK voter != 'voter-13'`,
  )
  const many = Array.from({ length: 40 }, (_, n) => vote('7', `voter-${n}`))
  const log = await createLog([...opening, createHeightEvents(3, many, 1), quiet])
  const first = await rig.start(log)
  expect(first.progress()).toMatchObject({ height: 5, isCaughtUp: true })
  const ballots = await read<{ voter: string }>('ballots')
  expect(ballots).toHaveLength(40)
  expect(ballots.map(({ voter }) => voter)).not.toContain('voter-13')
  const { letters } = await listLetters(rig.store, rig.control)
  expect(letters).toMatchObject([{ height: 3, proposalId: '7' }])
  expect(JSON.parse(letters[0]?.value ?? '')).toMatchObject({ data: { voter: 'voter-13' } })
  // A restarted process, which has not seen the rejection, gives the same result.
  await first.close()
  await log.append(createHeightEvents(6, [submitted('9'), votingStarted('7')], 1).map(toLogEntry))
  await rig.start(log)
  const rows = await read<ProposalRow>('proposals')
  expect(rows.find((row) => row.proposal_id === '7')).toMatchObject({
    history: 'partial',
    history_reason: expect.stringContaining('refused a row of ballots'),
  })
  expect(rows.find((row) => row.proposal_id === '9')).toMatchObject({ history: 'complete' })
})

it('the projections end without a dead letter if the table itself is different', async () => {
  await rig.store.command(
    `ALTER TABLE ${toDatabaseName(1, rig.control)}.proposals DROP COLUMN history_reason`,
  )
  await expect(rig.start(await createLog(opening))).rejects.toMatchObject({ code: 'STORE_REFUSED' })
})
