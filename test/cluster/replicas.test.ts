// Kills and restarts each of three ClickHouse replicas while Rollcall projects, reads and rebuilds.
// The responses equal those of a single machine, and no read fails.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseUnfitCluster } from '../../infra/base/clickhouse/check-server.ts'
import { createStore, type Store } from '../../infra/base/clickhouse/client.ts'
import { CONTROL_DATABASE } from '../../projections/contract/database.ts'
import type { Projections } from '../../projections/main.ts'
import { createTables } from '../../projections/read-model/create-tables.ts'
import { prepareReadModel } from '../../projections/read-model/prepare.ts'
import { rebuild } from '../../projections/rebuild/rebuild.ts'
import { type Line, RECORDED_CONFIG, recordAnswers } from '../answers/every-answer.ts'
import { describeStore, describeTables, type StoreRig } from '../contracts/store.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { CLUSTER } from '../support/cluster/cluster-config.ts'
import {
  type LocalCluster,
  type Replica,
  startLocalCluster,
} from '../support/cluster/local-cluster.ts'
import { until } from '../support/fold/rebuild-rig.ts'
import { caughtUp, projectAll, startForTest } from '../support/fold/run-projections.ts'
import { type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'
import { startTestClickHouse } from '../support/store/clickhouse.ts'

const PIECES = 6

let demo: DemoLog
let cluster: LocalCluster
let store: Store
let projections: Projections | undefined
let expected: ReadonlyMap<string, string>

const readAnswers = async (from: Store): Promise<Map<string, string>> => {
  const rig = await createMcpRig(from, RECORDED_CONFIG)
  try {
    return await recordAnswers(rig)
  } finally {
    await rig.close()
  }
}

const readSingleMachineAnswers = async (): Promise<Map<string, string>> => {
  const single = await startTestClickHouse()
  try {
    await prepareReadModel(single.store, CONTROL_DATABASE)
    await projectAll(demo.log, single.store)
    return await readAnswers(single.store)
  } finally {
    await single.stop()
  }
}

/** The records in the given number of parts, each with complete heights. */
const splitRecords = (count: number) => {
  const { records } = demo
  const heights = [...new Set(records.map(({ height }) => height))]
  const last = Array.from(
    { length: count },
    (_, at) => heights[Math.ceil(((at + 1) * heights.length) / count) - 1] ?? 0,
  )
  return last.map((end, at) =>
    records.filter(({ height }) => height <= end && height > (last[at - 1] ?? 0)),
  )
}

/** Requests with responses that are equal in all generations. */
const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (request) => one.get(request) !== other.get(request),
  )

const isInSync = async ({ select }: Replica): Promise<boolean> => {
  const [row] = await select<{ waiting: string; away: string }>(
    'SELECT sum(queue_size) AS waiting, sum(is_readonly) AS away FROM system.replicas',
  )
  return row?.waiting === '0' && row.away === '0'
}

/** Checksums of all tables of a generation except the heartbeat table: equal only if every row is equal. */
const sumsOn = async ({ select }: Replica, database: string): Promise<Record<string, string>> => {
  const tables = await select<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = '${database}' AND engine LIKE 'Replicated%'
     AND name != 'checkpoints' ORDER BY name`,
  )
  const sums = tables.map(async ({ name }) => {
    const [row] = await select<{ sum: string }>(
      `SELECT concat(count(), ' ', sum(sipHash64(toString(tuple(*))))) AS sum FROM ${database}.${name} FINAL`,
    )
    return [name, row?.sum ?? ''] as const
  })
  return Object.fromEntries(await Promise.all(sums))
}

beforeAll(async () => {
  demo = await indexDemoChain()
  expected = await readSingleMachineAnswers()
  cluster = await startLocalCluster(3)
  store = createStore(cluster.access())
  await refuseUnfitCluster(store, CLUSTER)
  await prepareReadModel(store, CONTROL_DATABASE)
})
afterAll(async () => {
  await projections?.close()
  await store?.close()
  await cluster?.stop()
  await demo?.remove()
})

const createRig = async (): Promise<StoreRig> => {
  const control = 'contract'
  await createTables(store, { control, generation: 1 })
  return {
    store,
    control,
    final: (table) => store.select(`SELECT * FROM ${control}_1.${table} FINAL`),
  }
}

describeTables('a cluster of replicas', createRig)
describeStore('a cluster of replicas', createRig)

describe('a cluster of replicas', () => {
  it('has every table of the migrations replicated on each replica', async () => {
    for (const replica of cluster.replicas) {
      const rows = await replica.select<{ engine: string; tables: string }>(
        `SELECT engine, count() AS tables FROM system.tables
         WHERE startsWith(database, 'rollcall') AND engine LIKE '%MergeTree' GROUP BY engine ORDER BY engine`,
      )
      expect(rows.map(({ engine }) => engine)).toEqual(['ReplicatedReplacingMergeTree'])
      expect(Number(rows[0]?.tables)).toBeGreaterThan(15)
      const [counted] = await replica.select<{ members: string }>(
        'SELECT min(total_replicas) AS members FROM system.replicas',
      )
      expect(counted).toEqual({ members: 3 })
    }
  })

  it('stores the whole log while each replica in turn is killed, and answers like one machine', async () => {
    const [first = [], ...rest] = splitRecords(PIECES)
    const log = await demo.createLog(first)
    projections = await startForTest(log, store, { batchEvents: 200, storeRetryMaxMs: 200 })
    await caughtUp(projections, log)
    for (const [at, piece] of rest.entries()) {
      const replica = cluster.replicas[at % cluster.replicas.length]
      await log.append(piece)
      await pause(50)
      await replica?.kill()
      await caughtUp(projections, log)
      await replica?.start()
    }
    expect(await log.end()).toBe(await demo.log.end())
    expect(differing(await readAnswers(store), expected)).toEqual([])
    await until(async () => (await Promise.all(cluster.replicas.map(isInSync))).every(Boolean))
    const [one, ...others] = await Promise.all(
      cluster.replicas.map((replica) => sumsOn(replica, 'rollcall_1')),
    )
    expect(Object.keys(one ?? {}).length).toBeGreaterThan(10)
    for (const other of others) expect(other).toEqual(one)
  })

  it('fails no read while each replica in turn is killed and started again', async () => {
    const rig = await createMcpRig(store, RECORDED_CONFIG)
    const expectedPages = new Map(
      [...expected].flatMap(([request, line]) => {
        const [accept, url, more] = request.split(' ')
        const { status, body }: Line & { status: number } = JSON.parse(line)
        const isList = url?.startsWith('/api/') && status === 200 && more === undefined
        // Gauges say what is known at the moment of the request.
        const isGauge = url?.startsWith('/api/metrics/')
        return isList && !isGauge && accept === 'application/json' ? [[url, body] as const] : []
      }),
    )
    const urls = [...expectedPages.keys()]
    const answers = { right: 0, wrong: [] as string[] }
    let isReading = true
    const read = async (start: number) => {
      for (let at = start; isReading; at += 7) {
        const url = urls[at % urls.length] ?? ''
        const { status, text } = await rig.ask(url, { headers: { accept: 'application/json' } })
        if (status === 200 && text === expectedPages.get(url)) answers.right += 1
        else answers.wrong.push(`${status} ${url}`)
      }
    }
    const readers = [0, 1, 2].map((start) => read(start))
    for (const replica of cluster.replicas) {
      await pause(300)
      await replica.kill()
      await pause(1_000)
      await replica.start()
      await until(() => isInSync(replica))
    }
    isReading = false
    await Promise.all(readers)
    await rig.close()
    console.log(`${answers.right} reads answered while three replicas were killed`)
    expect(answers.wrong).toEqual([])
    expect(answers.right).toBeGreaterThan(100)
  })

  it('returns every acknowledged insert to the next read, and the previous insert to every accepted read of any replica', async () => {
    await store.command(
      'CREATE TABLE IF NOT EXISTS rollcall.acknowledged{on_cluster} (n UInt32) ENGINE = {engine} ORDER BY n',
    )
    const alone = cluster.replicas.map(({ url }) => createStore({ ...cluster.access(), url }))
    const last = (from: Store) =>
      from
        .select<{ n: number }>('SELECT max(n) AS n FROM rollcall.acknowledged')
        .then(([row]) => row?.n)
    for (let n = 1; n <= 20; n++) {
      await store.insert('rollcall.acknowledged', [{ n }])
      expect(await last(store)).toBe(n)
      for (const one of alone) {
        const seen = await last(one).catch((error: { code: string }) => error.code)
        // Another replica can answer from before the last insert: see decision 7.
        expect([n, n - 1, 'STORE_UNAVAILABLE']).toContain(seen)
      }
    }
    for (const one of alone) await one.close()
    await store.command('DROP TABLE rollcall.acknowledged{on_cluster} SYNC')
  })

  it('builds and switches a generation during an outage of a replica, which has it after its return', async () => {
    const [away] = cluster.replicas.slice(-1)
    await away?.kill()
    const outcome = await rebuild({
      store,
      signal: new AbortController().signal,
    })
    expect(outcome).toMatchObject({ generation: 2, former: 1, isSwitched: true })
    expect(outcome.comparison).toMatchObject({ equal: true, differences: [] })
    await away?.start()
    await until(() => new Set(Object.values(cluster.ddl.applied())).size === 1)
    await until(async () => (await Promise.all(cluster.replicas.map(isInSync))).every(Boolean))
    const [one, ...others] = await Promise.all(
      cluster.replicas.map((replica) => sumsOn(replica, 'rollcall_2')),
    )
    for (const other of others) expect(other).toEqual(one)
    // Cursors and entity tags contain their generation.
    const withoutGeneration = (lines: ReadonlyMap<string, string>) =>
      [...lines]
        .filter(([request]) => !/cursor/.test(request))
        .map(([, line]) => JSON.parse(line).body.length)
    expect(withoutGeneration(await readAnswers(store))).toEqual(withoutGeneration(expected))
  })
})
