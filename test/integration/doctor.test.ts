// Tests of `rollcall doctor` with a real ClickHouse and real endpoints: correct setups and faults.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { DemoNode } from '../../infra/app/demo/demo-node.ts'
import {
  checkApi,
  checkEndpoints,
  checkProjections,
  checkReady,
  checkTables,
  readLogEnd,
} from '../../infra/app/doctor/areas.ts'
import {
  checkRow,
  type Finding,
  type Findings,
  findingsText,
} from '../../infra/app/doctor/finding.ts'
import type { IndexedBlock } from '../../infra/app/indexed-block.ts'
import { createStore, type Store } from '../../infra/base/clickhouse/client.ts'
import { STOPPED } from '../../projections/contract/stopped-proposals.ts'
import { createTables } from '../../projections/read-model/prepare.ts'
import { openTestRecording, startTestNode } from '../support/chain/test-recording.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import {
  createHeightEvents,
  snapshot,
  submitted,
  toLogEntry,
} from '../support/log/governance-events.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'

let clickhouse: TestClickHouse
let replay: DemoNode
beforeAll(async () => {
  clickhouse = await startTestClickHouse()
  replay = await startTestNode({ preload: 100, blockMs: 86_400_000 })
})
afterAll(async () => {
  await replay.close()
  await clickhouse.stop()
})

const never = new AbortController().signal

/** A control database for one test, and a log of two heights with an undecodable record. */
const setup = async (name: string) => {
  const control = `${clickhouse.control}_${name}`
  const { store } = clickhouse
  const log = openMemoryLog()
  await log.append(createHeightEvents(1, [snapshot()]).map(toLogEntry))
  await log.append(createHeightEvents(2, [submitted('1')]).map(toLogEntry))
  const inStore = () => checkRow('store', never, () => checkTables(store, control))
  const project = async () => {
    await createTables(store, { control, generation: 1 })
    await projectAll(log, store, {}, { control })
  }
  const { end } = await readLogEnd(log, 'the log')
  return { control, store, log, inStore, project, end }
}

const toText = (findings: Findings) => findingsText([findings].flat())
const levels = (findings: Findings): Finding['level'][] => [
  ...new Set([findings].flat().map(({ level }) => level)),
]

describe('the doctor at a ClickHouse', () => {
  it('reports missing tables, then a missing active generation, and then no problem', async () => {
    const { inStore, project, control, store } = await setup('whole')
    expect(toText(await inStore())).toMatch(/problem +ClickHouse has no tables of Rollcall/)
    await createTables(store, { control, generation: 1 })
    expect(toText(await inStore())).toMatch(/problem +no generation .* is active/)
    await project()
    const findings = await inStore()
    expect(toText(findings)).toContain(`${control}_1 is active`)
    expect(levels(findings)).toEqual(['ok'])
  })

  it('reports columns that are missing', async () => {
    const { inStore, project, control, store } = await setup('columns')
    await project()
    await store.command(`ALTER TABLE ${control}_1.pools DROP COLUMN moniker`)
    expect(toText(await inStore())).toMatch(
      /problem +columns are missing or have another type: pools\.moniker/,
    )
  })

  it('distinguishes a wrong password from an unreachable ClickHouse, and shows no secret', async () => {
    const { url, username } = clickhouse
    const wrong = createStore({ url, username, password: 'wrong-password' })
    const away = createStore({ url: 'http://127.0.0.1:1', username, password: 'wrong-password' })
    const findings = [wrong, away].map((store) =>
      checkRow('store', never, () => checkTables(store)),
    )
    const [refused = [], absent = []] = await Promise.all(findings)
    await Promise.all([wrong.close(), away.close()])
    expect(toText(refused)).toMatch(/problem +ClickHouse rejects these credentials/)
    expect(toText(absent)).toMatch(/problem +the store did not answer/)
    expect(toText([...refused, ...absent])).not.toContain('wrong-password')
  })

  it('reports the progress of the projections, and stopped proposals', async () => {
    const { project, control, store, end } = await setup('model')
    await project()
    const describeReadModel = async (logEnd = end) =>
      toText(await checkProjections(store, async () => logEnd, control))
    expect(await describeReadModel()).toMatch(
      /ok +projected up to height 2[\s\S]*ok +0 records behind/,
    )
    expect(await describeReadModel({ ...end!, chainId: 'other-1' })).toMatch(
      /problem +the tables are of chain test-1/,
    )
    expect(await describeReadModel({ ...end!, offset: 1n })).toMatch(
      /problem +the tables are \d+ records ahead/,
    )
    expect(await describeReadModel({ ...end!, offset: 50_000n })).toMatch(
      /warning +49\d{3} records behind/,
    )
    await store.command(
      `ALTER TABLE ${control}_1.proposals UPDATE history_reason = '${STOPPED} 2: why' WHERE true SETTINGS mutations_sync = 1`,
    )
    expect(await describeReadModel()).toMatch(
      /problem +proposal 1: Rollcall stopped this proposal at height 2: why/,
    )
  })
})

describe('the doctor while the projections commit', () => {
  it('never reports tables ahead of a sound log, because it reads the end of the log last', async () => {
    const { project, control, store, log } = await setup('moving')
    await project()
    // The log grows, and the tables follow, between two reads of the doctor.
    const movingStore: Store = {
      ...store,
      select: async (...question) => {
        await log.append(
          createHeightEvents(nextHeight, [submitted(`${nextHeight}`)]).map(toLogEntry),
        )
        nextHeight += 1
        await projectAll(log, store, {}, { control })
        return store.select(...question)
      },
    }
    let nextHeight = 3
    const readEnd = async () => (await readLogEnd(log, 'the log')).end
    const findings = await checkProjections(movingStore, readEnd, control)
    expect(levels(findings)).toEqual(['ok'])
    expect(nextHeight).toBeGreaterThan(4)
  })
})

const recording = openTestRecording()
const blockAt = (height: number): IndexedBlock => ({
  chainId: recording.manifest.chainId,
  height,
  hash: JSON.parse(recording.block(height).block).block_id.hash,
})

describe('the doctor at endpoints', () => {
  const check = (urls: readonly string[], chainId?: string, indexed?: IndexedBlock) =>
    checkEndpoints({ urls, chainId, indexed, signal: never })

  it('accepts a working endpoint, and names it by its host only', async () => {
    const url = `${replay.url}/secret-key`.replace('http://', 'http://me:pw@')
    const findings = await check([replay.url], replay.chainId, blockAt(50))
    expect(levels(findings)).toEqual(['ok'])
    expect(toText(findings)).toMatch(/^chain +ok +127\.0\.0\.1:\d+: rollcall-demo-1 at height 100/m)
    expect(toText(await check([url, 'http://me:pw@127.0.0.1:1/secret-key']))).not.toMatch(
      /secret|pw/,
    )
  })

  it('reports an endpoint whose block is not the last one of the log', async () => {
    const other = { ...blockAt(50), hash: blockAt(49).hash }
    expect(toText(await check([replay.url], replay.chainId, other))).toMatch(
      /problem .*: it has the block [0-9A-F]{64} at height 50, but the log has/,
    )
    const later = { ...blockAt(50), height: 5_000 }
    expect(levels(await check([replay.url], replay.chainId, later))).toEqual(['ok'])
  })

  it('reports an endpoint of another chain, an unreachable one, and one that lacks the next height', async () => {
    expect(toText(await check([replay.url], 'other-1'))).toMatch(
      /problem .* not on other-1\n +→ remove it/,
    )
    expect(toText(await check(['http://127.0.0.1:1']))).toMatch(
      /problem +127\.0\.0\.1:1: it does not respond like a node: ECONNREFUSED/,
    )
    const early = await startTestNode({ preload: 20, blockMs: 86_400_000 })
    onTestFinished(() => early.close())
    expect(toText(await check([replay.url, early.url]))).toMatch(
      /is 80 heights behind the best endpoint/,
    )
  })
})

/** Sends the same body for every path. */
const serve = async (status: number, body: unknown): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the doctor at the services', () => {
  it.each([
    [200, { status: 'ok', chain: { height: 7 }, freshnessSeconds: 1 }, /ok +.* height 7, 1 s old/],
    [
      200,
      { status: 'ok', chain: { chainId: 'rollcall-demo-1', height: 7, demo: true } },
      /ok +.* height 7 of rollcall-demo-1, the recorded demo chain/,
    ],
    [
      200,
      { status: 'catching_up', chain: { height: 7 }, tip: 900, freshnessSeconds: 99 },
      /warning .* height 7 of 900, 99 s old: it is catching up/,
    ],
    [
      200,
      {
        status: 'catching_up',
        chain: { height: 7 },
        tip: 900,
        behind: { heights: 893, seconds: 7_200 },
        freshnessSeconds: 0.15,
      },
      /warning .* height 7 of 900, 2\.0 h behind: it is catching up/,
    ],
    [
      200,
      { status: 'degraded', chain: null, freshnessSeconds: null },
      /warning .*serves no height yet: degraded/,
    ],
    [404, {}, /problem .* responds to \/api\/health with 404/],
  ])('reads the health of an API that answers %i', async (status, body, expectedText) => {
    expect(toText(await checkApi(await serve(status, body), never))).toMatch(expectedText)
  })

  it('reports a service that does not respond, and a component that is not ready', async () => {
    const absent = await checkRow('api', never, () => checkApi('http://127.0.0.1:1/key', never))
    expect(toText(absent)).toMatch(/problem .*http:\/\/127\.0\.0\.1:1 did not answer/)
    const url = await serve(503, { ready: false, reasons: ['writer: no height is indexed'] })
    expect(toText(await checkReady(url, never))).toMatch(/warning +not ready: writer: no height/)
  })
})
