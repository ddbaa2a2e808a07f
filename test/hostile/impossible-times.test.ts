// Invalid times: a log with one is served, the record is reported, and `verify` finds it.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { verifyLog } from '../../infra/app/tools/verify/log.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { encodeEvent } from '../../ingest/contract/codec.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { type RebuildRig, startRebuildRig } from '../support/fold/rebuild-rig.ts'
import {
  createHeightEvents,
  firstReading,
  submitted,
  toLogEntry,
  voteWith,
  votingStarted,
  votingState,
} from '../support/log/governance-events.ts'
import { pool, to, toBlockTime } from '../support/log/governance-values.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import type { ProposalRow } from '../support/store/stored-rows.ts'

let rig: RebuildRig
beforeAll(async () => {
  rig = await startRebuildRig()
})
beforeEach(() => rig.clear())
afterAll(() => rig?.stop())

const TIMES = ['2026-13-45T25:61:61Z', '2026-02-30T14:42:60Z', '2026-02-30T14:42:00Z', 'yesterday']

const opening = [
  createHeightEvents(1, [submitted('7')], 1),
  createHeightEvents(2, [votingStarted('7'), firstReading('7', [pool('a')])], 1),
]
const cast = (voter: string) => voteWith('7', voter, [to('a', '1')])

const createLog = async (time: string): Promise<EventLog> => {
  const log = openMemoryLog()
  const heights = [
    ...opening,
    createHeightEvents(3, cast('x'), 1),
    createHeightEvents(4, cast('y'), 1),
  ]
  for (const height of heights) {
    const isWrong = height[0]?.height === 3
    const entries = height.map((event) => ({
      ...toLogEntry(event),
      value: encodeEvent(isWrong ? { ...event, time } : event),
    }))
    await log.append(entries)
  }
  return log
}

const readProposal = async (): Promise<ProposalRow | undefined> => {
  const database = toDatabaseName(1, rig.control)
  const [row] = await rig.store.select<ProposalRow>(`SELECT * FROM ${database}.proposals FINAL`)
  return row
}

it.each(TIMES)(
  'the API serves a log with a block time of %s, and the blocks after it',
  async (time) => {
    const log = await createLog(time)
    const { logger, lines } = recordingLogger()
    const projections = await rig.start(log, {}, { logger })
    expect(projections.progress()).toMatchObject({ height: 4, isCaughtUp: true })
    const reported = lines.filter(({ msg }) => msg === 'could not decode a record')
    expect(reported.map(({ height }) => height)).toEqual(['3', '3', '3'])
    expect(await readProposal()).toMatchObject({
      history: 'partial',
      history_reason: expect.stringContaining('rollcall.vote.cast.v1: /time is not a time'),
    })
    const api = await createApiRig(rig.store)
    const answer = (await api.ask('/api/proposals/7')).json()
    expect(answer).toMatchObject({
      asOf: { height: 4, time: toBlockTime(4) },
      tally: { yes: null },
    })
    await api.close()
    // A restart also works.
    await projections.close()
    const again = await rig.start(log)
    expect(again.progress()).toMatchObject({ height: 4, isCaughtUp: true })
  },
)

it.each(TIMES)('finds a block of %s when the log is verified', async (time) => {
  const { signal } = new AbortController()
  const { violations } = await verifyLog({
    log: await createLog(time),
    signal,
    onProgress: () => undefined,
  })
  const ofHeight = violations.filter(({ height, kind }) => height === 3 && kind === 'identity')
  expect(ofHeight.length).toBeGreaterThan(0)
  expect(ofHeight.some(({ message }) => message.includes(time))).toBe(true)
})

it.each([
  ['submitTime', 'submit_time', 'submit time'],
  ['depositEndTime', 'deposit_end_time', 'end of the deposit period'],
  ['votingStartTime', 'voting_start_time', 'start of the voting period'],
  ['votingEndTime', 'voting_end_time', 'end of the voting period'],
] as const)('the API serves null with a reason for an invalid %s', async (field, column, name) => {
  const proposal = votingState('7', { [field]: '2026-02-30T14:42:60Z' })
  const log = openMemoryLog()
  await log.append(createHeightEvents(1, [submitted('7', { proposal })], 1).map(toLogEntry))
  await rig.start(log)
  expect(await readProposal()).toMatchObject({
    [column]: null,
    history: 'partial',
    history_reason: `the ${name} from the node is not a valid time`,
  })
})

it('the zero time of a node is an unset time without a reason', async () => {
  const proposal = votingState('7', { votingEndTime: '0001-01-01T00:00:00Z' })
  const log = openMemoryLog()
  await log.append(createHeightEvents(1, [submitted('7', { proposal })], 1).map(toLogEntry))
  await rig.start(log)
  expect(await readProposal()).toMatchObject({ voting_end_time: null, history: 'complete' })
})
