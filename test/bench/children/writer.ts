// Runs the writer in its own process as in production: ingest and projections on one embedded log.
import { createStore, type Store } from '../../../infra/base/clickhouse/client.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { createLogger } from '../../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { readIngestConfig } from '../../../ingest/config.ts'
import { decodeEvent } from '../../../ingest/contract/codec.ts'
import { type RunningIngest, startIngest } from '../../../ingest/main.ts'
import { PROJECTIONS_CONFIG } from '../../../projections/config.ts'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import { type Projections, startProjections } from '../../../projections/main.ts'
import { createTables } from '../../../projections/read-model/prepare.ts'
import { takeOrders } from './orders.ts'
import type { StoreAccess } from './projection.ts'

type Parameters = { access: StoreAccess; url: string; logPath: string }

const READ_RECORDS = 1_000
const READ_BYTES = 2 ** 22

let store: Store
let log: EventLog
let ingest: RunningIngest | undefined
let projections: Projections | undefined

const start = async ({ access, url, logPath }: Parameters) => {
  store = createStore(access)
  await createTables(store, { control: CONTROL_DATABASE, generation: 1 })
  log = await openEmbeddedLog({ path: logPath })
  const logger = createLogger({ service: 'bench', level: 'fatal' })
  projections = await startProjections({
    config: PROJECTIONS_CONFIG,
    log,
    store,
    logger,
    metrics: createMetrics('projections'),
  })
  ingest = await startIngest({
    config: readIngestConfig({ CHAIN_RPC_URLS: url, START_HEIGHT: 'earliest' }),
    log,
    logger,
    metrics: createMetrics('ingest'),
  })
}

const projectedHeight = () => projections?.progress().height ?? 0

/** The facts after `height`: each with its height and its proposal. */
const factsAfter = async ({ height }: { height: number }) => {
  const facts: { height: number; proposalId: string }[] = []
  let from = await log.offsetOfHeight(height + 1)
  for (;;) {
    const records = await log.read(from, { maxRecords: READ_RECORDS, maxBytes: READ_BYTES })
    const last = records.at(-1)
    if (!last) return facts
    from = last.offset + 1n
    for (const { value } of records) {
      const decoded = decodeEvent(value)
      const proposalId = decoded.ok && /^proposals\/(\d+)$/.exec(decoded.event.subject ?? '')?.[1]
      if (proposalId) facts.push({ height: decoded.event.height, proposalId })
    }
  }
}

takeOrders({ start, projectedHeight, factsAfter }, async () => {
  await ingest?.close()
  await projections?.close()
  await store?.close()
  await log?.close()
})
