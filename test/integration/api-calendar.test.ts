// The calendar of the ends of voting and deposit periods, over a real ClickHouse.
import { beforeEach, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { clearReadModel, proposalRow, seed, timestampAt } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()
const PROPOSER = 'cosmos1zang3mwv6j4g5d5avy6mhdryw8upytztpqdpzz'

beforeEach(() => clearReadModel(testStore.store))

const UPGRADE = '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade'
const CANCEL = '/cosmos.upgrade.v1beta1.MsgCancelUpgrade'
const LEGACY = '/cosmos.gov.v1.MsgExecLegacyContent'
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

const seedProposals = (proposals: readonly ReturnType<typeof proposalRow>[]) =>
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
  return (await ask(`/calendar.ics${query}`)).text
}

it('a title of a proposer adds no line to the calendar, and lines have at most 75 octets', async () => {
  await seedProposals([
    proposalRow(2, 60, {
      status: 'deposit_period',
      title: `Claim, now;\r\nEND:VCALENDAR ${'ünïcode '.repeat(20)}${'x'.repeat(160)}`,
      proposer: PROPOSER,
    }),
    proposalRow(3, 60),
  ])
  const text = await read(`?proposer=${PROPOSER}`)
  expect(text.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:Proposal 2: deposit period ends'])
  const lines = text.split('\r\n')
  expect(lines.filter((line) => line === 'END:VCALENDAR')).toHaveLength(1)
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n ', '')).toContain('Claim\\, now\\;')
})

it('an upgrade is that of the last passed proposal and of open ones, at an estimated time, until it is canceled', async () => {
  const readUpgrades = async (query = '') =>
    (await read(query))
      .replaceAll('\r\n ', '')
      .match(/SUMMARY:.*upgrade at.*/g)
      ?.map((line) => line.replace(/\s/g, ' '))
  const content = {
    '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
    plan: { name: 'v3', height: '20000' },
  }
  await seedProposals([
    proposalRow(1, 90, { ...upgradeTo(5_000), ...passedAt(30) }),
    proposalRow(2, 90, { ...upgradeTo(3_700), ...passedAt(80) }),
    proposalRow(3, 90, {
      message_types: [LEGACY],
      messages: JSON.stringify([{ '@type': LEGACY, content }]),
      proposer: PROPOSER,
    }),
    proposalRow(4, 90, upgradeTo(99)),
  ])
  const ofOpen = 'SUMMARY:Proposal 3: upgrade at block 20 000\\, estimated time\\, if it passes'
  expect(await readUpgrades()).toEqual([
    'SUMMARY:Proposal 2: upgrade at block 3 700\\, estimated time',
    ofOpen,
  ])
  const text = await read()
  // One second per block: one hour after block 100.
  expect(text).toContain('DTSTART:20261121T010200Z\r\n')
  const whole = text.replaceAll('\r\n ', '')
  expect(whole).toContain('The block is exact\\, the time is an estimate.\\nBasis: 1 s per block')
  expect(whole).toContain('the average of the 80 blocks before block 100.')
  expect(whole).toContain('The name that the proposer gave: "v2\\;"')
  expect(await readUpgrades(`?proposer=${PROPOSER}&messageType=cosmos.gov.v1`)).toEqual([ofOpen])
  expect(await readUpgrades('?messageType=cosmos.go')).toBeUndefined()
  const messages = JSON.stringify([{ '@type': CANCEL }])
  await seedProposals([proposalRow(5, 90, { message_types: [CANCEL], messages, ...passedAt(85) })])
  expect(await readUpgrades()).toEqual([ofOpen])
})
