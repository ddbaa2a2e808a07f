// The demo of users is the story that its recorder plays: a year of proposals that ended as planned, without hostile text.
import { Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import { QueryCommunityPoolResponse } from 'cosmjs-types/cosmos/protocolpool/v1/query'
import { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { QueryCodeInfoRequest } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { idKey } from '../../infra/app/chain/state/state-view.ts'
import { LIVE_BLOCKS, startDemoNode } from '../../infra/app/demo/demo-node.ts'
import { openRecording } from '../../infra/app/demo/recording.ts'
import type { LogRecord } from '../../infra/base/log/event-log.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { createTables } from '../../projections/read-model/create-tables.ts'
import { STATUSES } from '../devnet/demo/endings.ts'
import { STORY } from '../devnet/demo/year/year.ts'
import { createRawRpc } from '../devnet/rpc.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { readRecords } from '../support/log/demo-log.ts'
import { indexRecording } from '../support/log/recorded-log.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'

const DAY_MS = 86_400_000
const recording = openRecording()
const { firstHeight, lastHeight, proposals } = recording.manifest
const state = recording.history.at(lastHeight)

const readTimeMs = (height: number): number =>
  Date.parse(JSON.parse(recording.block(height).block).block.header.time)

const readProposal = (id: string | undefined): Proposal | undefined => {
  const bytes = state.get('proposal', idKey(BigInt(id ?? 0)))
  return bytes && Proposal.decode(bytes)
}

/** Markup, links that run code, and characters that reorder or hide text. */
const HOSTILE = /[<>\p{Cc}\p{Cf}]|javascript:/u

describe('the state of the recording', () => {
  it('has sixty bonded pools with ordinary and different names', () => {
    const pools = state.list('pool').map(({ value }) => Validator.decode(value))
    expect(pools).toHaveLength(60)
    expect(pools.filter(({ jailed }) => jailed)).toEqual([])
    const names = pools.map(({ description }) => description.moniker)
    expect(new Set(names).size).toBe(60)
    expect(names.filter((name) => !/^[A-Z][a-z]+(?: [A-Za-z0-9]+){0,3}$/.test(name))).toEqual([])
  })

  it.each(STORY)('ends the proposal $key as $ending', ({ key, ending, title }) => {
    const found = readProposal(proposals[key])
    expect(found?.status, found?.failedReason).toBe(STATUSES[ending])
    if (found) expect(found.title).toBe(title)
  })

  it('has no hostile text', () => {
    const texts = Object.values(proposals).flatMap((id) => {
      const { title = '', summary = '', metadata = '' } = readProposal(id) ?? {}
      return [title, summary, metadata]
    })
    const pools = state.list('pool').flatMap(({ value }) => {
      const { description } = Validator.decode(value)
      return Object.values(description)
    })
    expect([...texts, ...pools].filter((text) => HOSTILE.test(text.replaceAll('\n', ' ')))).toEqual(
      [],
    )
  })

  it('has blocks of twelve months, and the last ones are seconds apart', () => {
    const times = Array.from({ length: lastHeight - firstHeight + 1 }, (_, index) =>
      readTimeMs(firstHeight + index),
    )
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.min(...steps)).toBeGreaterThan(0)
    expect(((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY_MS).toBeCloseTo(365, 0)
    expect(Math.max(...steps.slice(-LIVE_BLOCKS))).toBeLessThan(20_000)
  })
})

describe('the replay of the recording', () => {
  const POOL = '/cosmos.protocolpool.v1.Query/CommunityPool'
  const CODE = '/cosmwasm.wasm.v1.Query/CodeInfo'
  const codeRequest = (codeId: bigint) => QueryCodeInfoRequest.encode({ codeId }).finish()

  it('answers recorded queries of other modules by height, and refuses all others', async () => {
    const node = await startDemoNode({ recording, preload: lastHeight })
    onTestFinished(() => node.close())
    const rpc = createRawRpc(node.url)
    const readPool = async (height: number) =>
      QueryCommunityPoolResponse.decode(await rpc.query(POOL, new Uint8Array(), height)).pool
    const [first] = await readPool(100)
    const [last] = await readPool(lastHeight)
    expect(last?.denom).toBe('uroll')
    expect(BigInt(last?.amount ?? 0)).toBeLessThan(BigInt(first?.amount ?? 0))
    expect((await rpc.abciQuery(CODE, codeRequest(2n), lastHeight)).code).toBe(0)
    // The code is not stored yet.
    expect((await rpc.abciQuery(CODE, codeRequest(2n), 2)).code).toBe(22)
    expect(await rpc.abciQuery(CODE, codeRequest(9n), lastHeight)).toMatchObject({
      code: 6,
      log: 'unknown query path: unknown request',
    })
  })
})

describe('the index of the recording', () => {
  let clickHouse: TestClickHouse
  let database: string
  let records: readonly LogRecord[]
  const select = <Row>(sql: string): Promise<Row[]> =>
    clickHouse.store.select<Row>(sql.replaceAll('{db}', database))

  beforeAll(async () => {
    clickHouse = await startTestClickHouse()
    const { store, control } = clickHouse
    database = toDatabaseName(1, control)
    await createTables(store, { control, generation: 1 })
    const log = await indexRecording(recording)
    records = await readRecords(log)
    await projectAll(log, store, {}, { control })
  })
  afterAll(() => clickHouse?.stop())

  it('matches every tally of the chain', async () => {
    const rows = await select<{ proposal_id: string; matches_chain: string }>(
      `SELECT proposal_id, matches_chain FROM {db}.tallies FINAL
       WHERE final AND proposal_id NOT IN
         (SELECT proposal_id FROM {db}.proposals FINAL WHERE status = 'canceled')`,
    )
    expect(rows.length).toBeGreaterThanOrEqual(32)
    expect(rows.filter(({ matches_chain: matches }) => matches !== 'yes')).toEqual([])
  })

  it('has two thousand voters', async () => {
    const [row] = await select<{ voters: string }>(
      'SELECT uniqExact(voter) AS voters FROM {db}.ballots FINAL',
    )
    expect(Number(row?.voters)).toBeGreaterThanOrEqual(2_000)
  })

  it('knows all parameters that the messages of proposals would change', () => {
    const events = records.map(
      ({ value }): GovernanceEvent => JSON.parse(Buffer.from(value).toString('utf8')),
    )
    const observations = events.flatMap((event) =>
      event.type === 'rollcall.proposal.context.v1' ? event.data.observations : [],
    )
    expect(observations.length).toBeGreaterThan(5)
    expect(observations.filter(({ reason }) => reason !== null)).toEqual([])
  })

  it('has votes that are open in its last blocks, with ballots in most of them', () => {
    const recent = records.filter(({ height }) => height > lastHeight - LIVE_BLOCKS)
    const voted = recent.filter(({ value }) =>
      Buffer.from(value).includes('"rollcall.vote.cast.v1"'),
    )
    expect(new Set(voted.map(({ height }) => height)).size).toBeGreaterThan(LIVE_BLOCKS / 2)
  })
})
