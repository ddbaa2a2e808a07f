// The calendar of the ends of voting and deposit periods, over a real ClickHouse.
import { beforeEach, describe, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { clearReadModel, proposalRow, seed, timestampAt } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()
const PROPOSER = 'cosmos1zang3mwv6j4g5d5avy6mhdryw8upytztpqdpzz'

beforeEach(async () => {
  const { store } = testStore
  await clearReadModel(store)
  const open = Array.from({ length: 30 }, (_, n) => n + 3)
  await seed(store, {
    height: 100,
    proposals: [
      proposalRow(1, 50, { status: 'passed', closed_height: '50' }),
      proposalRow(2, 60, {
        status: 'deposit_period',
        title: `Claim, now;\r\nEND:VCALENDAR ${'ünïcode '.repeat(20)}${'x'.repeat(160)}`,
        deposit_end_time: '2026-12-01 08:00:00.000000000',
        proposer: PROPOSER,
      }),
      ...open.map((id) =>
        proposalRow(id, 60, { voting_end_time: '2026-12-02 09:30:00.000000000' }),
      ),
    ],
    marks: [{ id: 1, height: 50, final: true }, ...[2, ...open].map((id) => ({ id, height: 60 }))],
  })
})

const UPGRADE = '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade'
const CANCEL = '/cosmos.upgrade.v1beta1.MsgCancelUpgrade'
const upgradeTo = (height: number) => ({
  message_types: [UPGRADE],
  messages: JSON.stringify([{ '@type': UPGRADE, plan: { name: 'v2;', height: `${height}` } }]),
  submitted_height: '20',
  submit_time: timestampAt(20),
})
const passedAt = (height: number) => ({
  status: 'passed',
  closed_height: `${height}`,
  closed_time: timestampAt(height),
})

const seedUpgrades = (proposals: readonly ReturnType<typeof proposalRow>[]) =>
  seed(testStore.store, {
    height: 100,
    proposals: [...proposals],
    marks: proposals.map(({ proposal_id: id, status }) => ({
      id: Number(id),
      height: 90,
      final: status === 'passed',
    })),
  })

const read = async (query = '') => {
  const { ask } = await createApiRig(testStore.store)
  return await ask(`/calendar.ics${query}`)
}

it('the calendar has the end of each open proposal and none of a closed one', async () => {
  const { status, headers, text } = await read()
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(31)
  expect(text).toContain('SUMMARY:Proposal 3: voting ends\r\n')
  expect(text).toContain('DTSTART:20261202T093000Z\r\n')
  expect(text).toContain('SUMMARY:Proposal 2: deposit period ends\r\n')
  expect(text).toContain('DTSTART:20261201T080000Z\r\n')
  expect(text).not.toContain('Proposal 1:')
})

it('the calendar of a proposer has its proposals alone', async () => {
  const { text } = await read(`?proposer=${PROPOSER}`)
  expect(text.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:Proposal 2: deposit period ends'])
  expect((await read('?page=1')).status).toBe(400)
})

it('a title of a proposer adds no line to the calendar, and lines have at most 75 octets', async () => {
  const { text } = await read(`?proposer=${PROPOSER}`)
  const lines = text.split('\r\n')
  expect(lines.filter((line) => line === 'END:VCALENDAR')).toHaveLength(1)
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n ', '')).toContain('Claim\\, now\\;')
})

describe('an upgrade', () => {
  const legacy = '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal'
  const findSummaries = (text: string) =>
    text
      .replaceAll('\r\n ', '')
      .match(/SUMMARY:.*upgrade at.*/g)
      ?.map((line) => line.replace(/\s/g, ' '))

  beforeEach(() => clearReadModel(testStore.store))

  it('has an estimated time, for the plan of the last passed proposal and for open proposals', async () => {
    const content = { '@type': legacy, plan: { name: 'v3', height: '20000' } }
    await seedUpgrades([
      proposalRow(1, 90, { ...upgradeTo(5_000), ...passedAt(30) }),
      proposalRow(2, 90, { ...upgradeTo(3_700), ...passedAt(80) }),
      proposalRow(3, 90, {
        message_types: ['/cosmos.gov.v1.MsgExecLegacyContent'],
        messages: JSON.stringify([{ '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content }]),
        proposer: PROPOSER,
      }),
      proposalRow(4, 90, upgradeTo(99)),
    ])
    const { text } = await read()
    expect(findSummaries(text)).toEqual([
      'SUMMARY:Proposal 2: upgrade at block 3 700\\, estimated time',
      'SUMMARY:Proposal 3: upgrade at block 20 000\\, estimated time\\, if it passes',
    ])
    // One second per block: one hour after block 100.
    expect(text).toContain('DTSTART:20261121T010200Z\r\n')
    const whole = text.replaceAll('\r\n ', '')
    expect(whole).toContain('The block is exact\\, the time is an estimate.\\nBasis: 1 s per block')
    expect(whole).toContain('the average of the 80 blocks before block 100.')
    expect(whole).toContain('The name that the proposer gave: "v2\\;"')
    const own = await read(`?proposer=${PROPOSER}&messageType=cosmos.gov.v1`)
    expect(findSummaries(own.text)).toHaveLength(1)
    expect(findSummaries((await read('?messageType=cosmos.gov')).text)).toHaveLength(1)
    expect(findSummaries((await read('?messageType=cosmos.go')).text)).toBeUndefined()
  })

  it('is not in the calendar after a passed proposal has canceled it', async () => {
    await seedUpgrades([
      proposalRow(1, 90, { ...upgradeTo(5_000), ...passedAt(30) }),
      proposalRow(2, 90, {
        message_types: [CANCEL],
        messages: JSON.stringify([{ '@type': CANCEL }]),
        ...passedAt(80),
      }),
    ])
    expect((await read()).text).not.toContain('VEVENT')
  })
})
