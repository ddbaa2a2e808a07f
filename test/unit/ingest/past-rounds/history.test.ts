// Tests which past votes are read, in which order, and that the log alone says what is done.
import { expect, it, onTestFinished } from 'vitest'
import type { EventLog } from '../../../../infra/base/log/event-log.ts'
import { known, unavailable } from '../../../../ingest/chain/answer.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { decodeMarker } from '../../../../ingest/heights/governance.ts'
import { History, type HistoryOptions } from '../../../../ingest/past-rounds/history.ts'
import type { Reconstruction } from '../../../../ingest/past-rounds/reconstruct.ts'
import { createHeightEvents, snapshot, toLogEntry } from '../../../support/log/governance-events.ts'
import { proposalState, toBlockTime } from '../../../support/log/governance-values.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const FIRST_HEIGHT = 100
const HOUR_MS = 3_600_000

const ended = (proposalId: string) => ({
  proposal: proposalState(proposalId, { status: 'passed', votingEndTime: toBlockTime(50) }),
  messages: [],
  round: 1,
})

const createLog = async (ids: readonly string[]): Promise<EventLog> => {
  const log = openMemoryLog()
  const open = { proposal: proposalState('99'), messages: [], round: 0 }
  const first = snapshot({ proposals: [...ids.map(ended), open] })
  await log.append(createHeightEvents(FIRST_HEIGHT, [first]).map(toLogEntry))
  return log
}

const reconstructed = (proposalId: string, votes = false): Reconstruction => ({
  proposalId,
  votes,
  drafts: [
    {
      type: 'rollcall.round.read.v1',
      data: {
        chunk: 0,
        chunks: 1,
        proposalId,
        round: 1,
        stateHeight: 1,
        final: true,
        allBallots: true,
        allPools: true,
        complete: true,
        incompleteReason: null,
        pools: [],
        ballots: [],
      },
    },
  ],
  bytes: 1_000,
})

type Setup = Partial<HistoryOptions> & { log: EventLog }

/** Reads behind a chain that stands still. */
const start = async ({ log, ...options }: Setup) => {
  const stopping = new AbortController()
  const clock = createFakeClock({ autoAdvance: false })
  const { logger } = recordingLogger()
  const asked: string[] = []
  const last = await log.last()
  const history = new History({
    setting: 'closes',
    log,
    marker: last && decodeMarker(last),
    isLive: () => true,
    clock,
    logger,
    signal: stopping.signal,
    ...options,
    reconstruct: async (target, reading) => {
      asked.push(target.proposalId)
      return options.reconstruct
        ? await options.reconstruct(target, reading)
        : known(reconstructed(target.proposalId, reading.searchesVotes))
    },
  })
  const running = history.run().catch(() => undefined)
  const stop = async () => {
    stopping.abort()
    await running
  }
  onTestFinished(stop)
  return { history, asked, clock, stop }
}

const until = async (holds: () => boolean): Promise<void> => {
  const endsMs = Date.now() + 30_000
  while (!holds()) {
    if (Date.now() > endsMs) throw new Error('it never came')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const blockAt = (height: number) => ({ chainId: 'test-1', height, time: toBlockTime(height) })

/** Appends what was read with the next height, and its marker. */
const append = async (log: EventLog, history: History, height: number) => {
  const events = history.takeEvents(blockAt(height))
  const member = history.member()
  const [marker] = createHeightEvents(height, []) as [
    GovernanceEvent & { type: 'rollcall.block.indexed.v1' },
  ]
  const withHistory = { ...marker, data: { ...marker.data, ...(member && { history: member }) } }
  await log.append([...events, withHistory].map(toLogEntry))
  return events
}

const readDone = (events: readonly GovernanceEvent[]) =>
  events.flatMap((event) =>
    event.type === 'rollcall.history.progressed.v1' ? event.data.done : [],
  )

it('reads every vote that had ended at the snapshot, newest first, by number', async () => {
  const log = await createLog(['9', '10', '100'])
  const { history, asked } = await start({ log })
  await until(() => history.progress().state === 'done')
  expect(asked).toEqual(['100', '10', '9'])
  const events = await append(log, history, 101)
  expect(events.map(({ type, subject }) => [type, subject])).toEqual([
    ['rollcall.round.read.v1', 'proposals/100'],
    ['rollcall.round.read.v1', 'proposals/10'],
    ['rollcall.round.read.v1', 'proposals/9'],
    ['rollcall.history.progressed.v1', undefined],
  ])
  expect(readDone(events)).toEqual([{ from: '9', to: '100', votes: false }])
  expect(history.member()).toEqual({ at: 101, total: 3, done: 3, unreachable: 0, reason: null })
  expect(history.takeEvents(blockAt(102))).toEqual([])
})

it('continues after a restart with what is not in the log', async () => {
  const log = await createLog(['1', '2', '3', '4'])
  let reads = 0
  const first = await start({
    log,
    reconstruct: async ({ proposalId }) =>
      ++reads > 2 ? unavailable('not now') : known(reconstructed(proposalId)),
  })
  await until(() => reads === 4)
  const events = await append(log, first.history, 101)
  expect(readDone(events)).toEqual([{ from: '3', to: '4', votes: false }])
  await first.stop()

  const second = await start({ log })
  await until(() => second.history.progress().state === 'done')
  expect(second.asked).toEqual(['2', '1'])
  await second.stop()

  // Killed before the append: read again.
  const third = await start({ log })
  await until(() => third.history.progress().state === 'done')
  expect(third.asked).toEqual(['2', '1'])
  expect(readDone(await append(log, third.history, 102))).toEqual([
    { from: '1', to: '4', votes: false },
  ])
})

it('counts what cannot be read with its reason, and asks again after an hour', async () => {
  const log = await createLog(['1', '2', '3'])
  let isReachable = false
  const { history, asked, clock } = await start({
    log,
    reconstruct: async ({ proposalId }) =>
      proposalId === '2' && !isReachable
        ? unavailable('the node has pruned the state of height 7')
        : known(reconstructed(proposalId)),
  })
  await until(() => history.progress().state === 'unreachable')
  const events = await append(log, history, 101)
  expect(readDone(events)).toEqual([
    { from: '1', to: '1', votes: false },
    { from: '3', to: '3', votes: false },
  ])
  expect(history.member()).toEqual({
    at: 101,
    total: 3,
    done: 2,
    unreachable: 1,
    reason: 'the node has pruned the state of height 7',
  })
  isReachable = true
  clock.advance(HOUR_MS)
  await until(() => history.progress().state === 'done')
  expect(asked).toEqual(['3', '2', '1', '2'])
  await append(log, history, 102)
  expect(history.member()).toMatchObject({ done: 3, unreachable: 0, reason: null })
})

it('does not ask for older votes after five in a row that cannot be read', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `${index + 1}`)
  const { history, asked } = await start({
    log: await createLog(ids),
    reconstruct: async () => unavailable('pruned'),
  })
  await until(() => history.progress().state === 'unreachable')
  expect(asked).toEqual(['40', '39', '38', '37', '36'])
  expect(history.member()).toMatchObject({ total: 40, done: 0, unreachable: 40, reason: 'pruned' })
})

it('searches votes of proposals that were read without them', async () => {
  const log = await createLog(['1', '2'])
  const closes = await start({ log })
  await until(() => closes.history.progress().state === 'done')
  await append(log, closes.history, 101)
  await closes.stop()
  const votes = await start({ log, setting: 'votes' })
  await until(() => votes.history.progress().state === 'done')
  expect(votes.asked).toEqual(['2', '1'])
  expect(readDone(await append(log, votes.history, 102))).toEqual([
    { from: '1', to: '2', votes: true },
  ])
})

it('reads nothing if it is off, and keeps what the last marker says', async () => {
  const log = await createLog(['1'])
  const closes = await start({ log })
  await until(() => closes.history.progress().state === 'done')
  await append(log, closes.history, 101)
  await closes.stop()
  const off = await start({ log, setting: 'off' })
  expect(off.history.progress().state).toBe('off')
  expect(off.history.member()).toEqual(closes.history.member())
  expect(off.asked).toEqual([])
})

it('waits while heights are missing', async () => {
  let isLive = false
  const log = await createLog(['1', '2'])
  const { history, asked, clock } = await start({ log, isLive: () => isLive })
  await until(() => history.progress().state === 'waiting')
  expect(asked).toEqual([])
  isLive = true
  clock.advance(2_000)
  await until(() => history.progress().state === 'done')
  expect(asked).toEqual(['2', '1'])
})

it('survives a proposal that makes the reader fail', async () => {
  const { history, asked } = await start({
    log: await createLog(['1', '2']),
    reconstruct: async ({ proposalId }) => {
      if (proposalId === '2') throw new TypeError('cannot read it')
      return known(reconstructed(proposalId))
    },
  })
  await until(() => history.progress().state === 'unreachable')
  expect(asked).toEqual(['2', '1'])
  expect(history.member()).toMatchObject({ unreachable: 1, reason: 'cannot read it' })
})

it('leaves room in a height: a large vote waits for the next one', async () => {
  const log = await createLog(['1', '2', '3'])
  const { history, asked, clock } = await start({
    log,
    reconstruct: async ({ proposalId }) =>
      known({ ...reconstructed(proposalId), bytes: 9 * 2 ** 20 }),
  })
  for (const height of [101, 102, 103]) {
    await until(() => asked.length === height - 100)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await append(log, history, height)).toHaveLength(2)
    await until(() => history.progress().state !== 'reading')
    clock.advance(2_000)
  }
  expect(history.member()).toMatchObject({ done: 3 })
})
