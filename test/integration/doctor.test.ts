// Tests of `rollcall doctor` with a real ClickHouse and real endpoints: correct setups and faults.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DemoNode } from '../../infra/app/demo/demo-node.ts'
import { checkApi, checkReady, checkStore } from '../../infra/app/doctor/areas.ts'
import { diagnoseEndpoint } from '../../infra/app/doctor/endpoint.ts'
import {
  checkRow,
  type Finding,
  type Findings,
  findingsText,
} from '../../infra/app/doctor/finding.ts'
import type { IndexedBlock } from '../../infra/app/indexed-block.ts'
import { withStore } from '../../infra/app/open-data.ts'
import { STOPPED } from '../../projections/contract/stopped-proposals.ts'
import { createTables } from '../../projections/read-model/prepare.ts'
import { openTestRecording, startTestNode } from '../support/chain/test-recording.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { serve } from '../support/http/serve.ts'
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
  const inStore = () => checkRow('store', never, () => checkStore(store, control))
  const project = async () => {
    await createTables(store, { control, generation: 1 })
    await projectAll(log, store, {}, { control })
  }
  return { control, store, inStore, project }
}

const toText = (findings: Findings) => findingsText([findings].flat())
const levels = (findings: Findings): Finding['level'][] => [
  ...new Set([findings].flat().map(({ level }) => level)),
]

describe('the doctor at a ClickHouse', () => {
  it('reports that no generation is active, and then the progress', async () => {
    const { inStore, project, control, store } = await setup('whole')
    await createTables(store, { control, generation: 1 })
    expect(toText(await inStore())).toMatch(
      /problem +no generation .* is active\n +→ start the projections/,
    )
    await project()
    const findings = await inStore()
    expect(toText(findings)).toMatch(`ok           ${control}_1 has height 2, written`)
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
    const { username } = clickhouse
    const wrong = { CLICKHOUSE_USERNAME: username, CLICKHOUSE_PASSWORD: 'wrong-password' }
    const check = (url: string) =>
      checkRow('store', never, () =>
        withStore({ ...wrong, CLICKHOUSE_URL: url }, (store) => checkStore(store)),
      )
    const refused = await check(clickhouse.url)
    const absent = await check('http://127.0.0.1:1')
    expect(toText(refused)).toMatch(/problem +authentication failed: .*set CLICKHOUSE_USERNAME/)
    expect(toText(absent)).toMatch(/problem +the store did not answer/)
    expect(toText([...refused, ...absent])).not.toContain('wrong-password')
  })

  it('reports stopped proposals', async () => {
    const { project, control, store, inStore } = await setup('model')
    await project()
    await store.command(
      `ALTER TABLE ${control}_1.proposals UPDATE history_reason = '${STOPPED} 2: why' WHERE true SETTINGS mutations_sync = 1`,
    )
    expect(toText(await inStore())).toMatch(
      /problem +proposal 1: Rollcall stopped this proposal at height 2: why/,
    )
  })
})

const recording = openTestRecording()
const blockAt = (height: number): IndexedBlock => ({
  chainId: recording.manifest.chainId,
  height,
  hash: JSON.parse(recording.block(height).block).block_id.hash,
})

describe('the doctor at endpoints', () => {
  const check = async (address: string, chainId?: string, indexed?: IndexedBlock) =>
    (await diagnoseEndpoint({ address, expected: { chainId, indexed }, signal: never })).findings

  it('names an endpoint by its host only', async () => {
    const url = `${replay.url}/secret-key`.replace('http://', 'http://me:pw@')
    for (const secret of [url, 'http://me:pw@127.0.0.1:1/secret-key']) {
      expect(toText(await check(secret))).not.toMatch(/secret|pw/)
    }
  })

  it('reports an endpoint whose block is not the last one of the log', async () => {
    const other = { ...blockAt(50), hash: blockAt(49).hash }
    expect(toText(await check(replay.url, replay.chainId, other))).toMatch(
      /problem .*: it has the block [0-9A-F]{64} at height 50, but the log has/,
    )
    const later = { ...blockAt(50), height: 5_000 }
    expect(levels(await check(replay.url, replay.chainId, later))).toEqual(['ok'])
  })

  it('reports an endpoint of another chain, and one that does not answer', async () => {
    expect(toText(await check(replay.url, 'other-1'))).toMatch(
      /problem .* not on other-1\n +→ remove it/,
    )
    expect(toText(await check('http://127.0.0.1:1'))).toMatch(
      /problem +127\.0\.0\.1:1: it does not respond like a node: ECONNREFUSED/,
    )
  })
})

/** Sends the same body for every path. */
const serveAlways = (status: number, body: unknown): Promise<string> =>
  serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })

describe('the doctor at the services', () => {
  it.each([
    [200, { status: 'ok', chain: { height: 7 }, tip: 7 }, /ok +.* height 7 of 7: ok/],
    [200, { status: 'degraded', chain: null }, /warning .*serves no height yet: degraded/],
    [404, {}, /problem .* responds to \/api\/health with 404/],
  ])('reads the health of an API that answers %i', async (status, body, expectedText) => {
    expect(toText(await checkApi(await serveAlways(status, body), never))).toMatch(expectedText)
  })

  it('reports a service that does not respond, and a component that is not ready', async () => {
    const absent = await checkRow('api', never, () => checkApi('http://127.0.0.1:1/key', never))
    expect(toText(absent)).toMatch(/problem .*http:\/\/127\.0\.0\.1:1 did not answer/)
    const url = await serveAlways(503, { ready: false, reasons: ['writer: no height is indexed'] })
    expect(toText(await checkReady(url, never))).toMatch(/warning +not ready: writer: no height/)
  })
})
