// Tests the view of analysts that names what messages do.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { createTables, pointViews } from '../../projections/read-model/prepare.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { messageBytes, proposalContext } from '../support/log/context-events.ts'
import { createHeightEvents, submitted, toLogEntry } from '../support/log/governance-events.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'

const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256))

const messages = [
  { '@type': '/cosmos.gov.v1.MsgUpdateParams', params: { quorum: '0.35', coins: [{ a: '1' }] } },
  { '@type': '/cosmwasm.wasm.v1.MsgStoreCode', wasm_byte_code: { sha256: 'ab', size: 5_000 } },
]
const context = proposalContext('7', {
  observations: [
    {
      query: '/cosmos.gov.v1.Query/Params',
      request: {},
      response: { params: { quorum: '0.334', coins: [] } },
      reason: null,
    },
  ],
})
const unknown = [{ '@type': '/cosmos.mint.v1beta1.MsgUpdateParams', params: { a: 1 } }]
const heights = [
  createHeightEvents(4, [
    submitted('7', { messages }),
    context,
    messageBytes('7', bytes.subarray(0, 3_000), { message: 1, chunk: 0, chunks: 2 }),
    messageBytes('7', bytes.subarray(3_000), { message: 1, chunk: 1, chunks: 2 }),
    submitted('8', { messages: unknown }),
  ]),
]

let clickHouse: TestClickHouse
beforeAll(async () => {
  clickHouse = await startTestClickHouse()
  const { store, control } = clickHouse
  await createTables(store, { control, generation: 1 })
  const log = openMemoryLog()
  for (const height of heights) await log.append(height.map(toLogEntry))
  await projectAll(log, store, {}, { control })
  await pointViews(store, { control, generation: 1 })
})
afterAll(() => clickHouse?.stop())

const select = <Row>(sql: string): Promise<Row[]> => {
  const { store, control } = clickHouse
  return store.select<Row>(
    sql.replaceAll('{views}', control).replaceAll('{db}', toDatabaseName(1, control)),
  )
}

it('lists the messages of each proposal in order, each with its type and its JSON', async () => {
  const rows = await select<{ json: string }>(
    'SELECT * FROM {views}.v_proposal_messages WHERE proposal_id = 7 ORDER BY message',
  )
  expect(rows.map((row) => ({ ...row, json: JSON.parse(row.json) }))).toEqual(
    messages.map((message, index) => ({
      proposal_id: '7',
      message: index,
      type: message['@type'],
      json: message,
    })),
  )
})

it('lists the parameters that a proposal changes, with both values as JSON', async () => {
  expect(await select('SELECT * FROM {views}.v_proposal_changes ORDER BY path')).toEqual([
    { proposal_id: '7', message: 0, path: 'coins', from: '[]', to: '[{"a":"1"}]' },
    { proposal_id: '7', message: 0, path: 'quorum', from: '"0.334"', to: '"0.35"' },
  ])
})

it('gives the reason in the view of proposals if changes are not known', async () => {
  expect(
    await select(
      'SELECT proposal_id, changes_reason FROM {views}.v_proposals ORDER BY proposal_id',
    ),
  ).toEqual([
    { proposal_id: '7', changes_reason: null },
    {
      proposal_id: '8',
      changes_reason: 'message 0: the current parameters were not observed',
    },
  ])
})

it('stores the chunks of a long field, which together are its bytes', async () => {
  const rows = await select<{ bytes: string }>(
    'SELECT message, path, chunk, chunks, bytes FROM {db}.message_bytes FINAL ORDER BY chunk',
  )
  expect(rows).toMatchObject([
    { message: 1, path: '/wasm_byte_code', chunk: 0, chunks: 2 },
    { message: 1, path: '/wasm_byte_code', chunk: 1, chunks: 2 },
  ])
  expect(Buffer.concat(rows.map((row) => Buffer.from(row.bytes, 'base64')))).toEqual(bytes)
})
