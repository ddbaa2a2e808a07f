// The calendar of the ends of voting and deposit periods, over a real ClickHouse.
import { beforeEach, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { clearReadModel, proposalRow, seed } from '../support/store/read-model-seed.ts'
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
        title: 'Claim, now;\r\nEND:VCALENDAR ünïcode ünïcode ünïcode ünïcode ünïcode',
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
