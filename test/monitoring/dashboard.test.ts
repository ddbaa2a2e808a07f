// Tests the dashboard and the alerts with a real Prometheus and the deployment's configuration, over the demo chain.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EmbeddedClickHouse,
  startEmbeddedClickHouse,
} from '../../infra/base/clickhouse/embedded-server.ts'
import { findFreePorts } from '../devnet/ports.ts'
import {
  type Prometheus,
  startListening,
  startPrometheus,
} from '../support/monitoring/prometheus.ts'
import { runToEnd } from '../support/process/command.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { createRunFolder, until } from '../support/process/rollcall-process.ts'
import { readPanels } from '../support/source/deploy-files.ts'

/** Configures the metrics that ClickHouse serves at port 9363 in a deployment. */
const PROMETHEUS_HANDLER = `<clickhouse>
  <http_handlers>
    <rule>
      <url>/metrics</url><methods>GET</methods>
      <handler><type>prometheus</type><metrics>true</metrics><events>true</events>
        <asynchronous_metrics>true</asynchronous_metrics></handler>
    </rule>
    <defaults/>
  </http_handlers>
</clickhouse>
`

const HAS_DATA_MS = 90_000

let prometheus: Prometheus
const tidy: (() => Promise<unknown>)[] = []

const startEngine = async (folder: string): Promise<EmbeddedClickHouse> => {
  const dataDir = join(folder, 'clickhouse')
  mkdirSync(join(dataDir, 'config.d'), { recursive: true })
  writeFileSync(join(dataDir, 'config.d', 'prometheus.xml'), PROMETHEUS_HANDLER)
  return startEmbeddedClickHouse({
    dataDir,
    password: 'only-for-this-test',
    logger: silentLogger(),
  })
}

/** Requests that create metrics: lists, pages, and repeated requests. */
const visit = (url: string) => {
  let isOver = false
  const asking = (async () => {
    for (let at = 1; !isOver; at++) {
      const paths = [
        '/api/proposals',
        `/api/proposals/${at % 7}/votes`,
        '/',
        `/api/pools?limit=${at % 40}`,
      ]
      for (const path of paths) await fetch(new URL(path, url)).then((answer) => answer.text())
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  return async () => {
    isOver = true
    await asking
  }
}

beforeAll(async () => {
  const runFolder = await createRunFolder()
  tidy.push(runFolder.clean)
  const engine = await startEngine(runFolder.folder)
  tidy.push(() => engine.close())
  const [operators = 0, disks = 0] = await findFreePorts(2)
  const machine = runFolder.run({
    env: {
      OPERATORS_PORT: String(operators),
      CLICKHOUSE_URL: engine.url,
      CLICKHOUSE_USERNAME: engine.username,
      CLICKHOUSE_PASSWORD: engine.password,
    },
  })
  const url = await machine.untilServing()
  tidy.push(visit(url))
  const nodeExporter = await startListening(
    'prometheus-node-exporter',
    [`--web.listen-address=127.0.0.1:${disks}`],
    `http://127.0.0.1:${disks}/metrics`,
  )
  tidy.push(nodeExporter.stop)
  const service = (name: string) => ({
    address: `127.0.0.1:${operators}`,
    keep: `rollcall_${name}_.*`,
  })
  prometheus = await startPrometheus(join(runFolder.folder, 'prometheus'), {
    ingest: service('ingest'),
    projections: service('projections'),
    api: service('api'),
    auth: service('auth'),
    clickhouse: { address: new URL(engine.url).host },
    disks: { address: `127.0.0.1:${disks}` },
  })
  tidy.push(prometheus.stop)
})
afterAll(async () => {
  for (const step of tidy.reverse()) await step()
})

/** The title part of panels for services that this machine does not run. */
const NEEDS_KAFKA = 'Deployments with Kafka only'
/** Periodic metrics of a ClickHouse server, which the embedded engine does not have. */
const OF_A_SERVER = ['ClickHouseAsyncMetrics_MaxPartCountForPartition']
const panels = readPanels().filter(({ targets }) => targets !== undefined)

describe('the dashboard', () => {
  it('measures every part of a single machine', async () => {
    const jobs = ['api', 'auth', 'clickhouse', 'disks', 'ingest', 'projections', 'prometheus']
    await until('all are up', HAS_DATA_MS, async () =>
      (await prometheus.up()).length >= jobs.length ? true : undefined,
    )
    expect(await prometheus.up()).toEqual(jobs)
  })

  it.each(panels.map((panel) => [panel.title, panel] as const))(
    'has data in the panel "%s"',
    async (_, { targets = [], description = '' }) => {
      if (description.startsWith(NEEDS_KAFKA)) {
        for (const { expr } of targets) expect(await prometheus.query(expr)).toEqual([])
        return
      }
      for (const { expr } of targets.filter((target) => !OF_A_SERVER.includes(target.expr))) {
        await until(`a number for ${expr}`, HAS_DATA_MS, async () =>
          (await prometheus.query(expr)).some(Number.isFinite) ? true : undefined,
        )
      }
    },
  )

  it('has one panel for deployments with Kafka', () => {
    const left = panels.filter(({ description = '' }) => description.startsWith(NEEDS_KAFKA))
    expect(left.map(({ title }) => title)).toEqual(['Kafka'])
  })
})

describe('the alerts', () => {
  it.each(['rules', 'votes'])('are rules that Prometheus accepts: %s.yml', async (name) => {
    const { code, stdout, stderr } = await runToEnd('promtool', [
      'check',
      'rules',
      `infra/deploy/prometheus/${name}.yml`,
    ])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/)
  })

  it('fire and resolve as in the unit tests of the rules', async () => {
    const { code, stdout, stderr } = await runToEnd('promtool', [
      'test',
      'rules',
      'test/monitoring/rules.test.yml',
    ])
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})
