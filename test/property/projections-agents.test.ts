// Property tests that claims and revocations give the same tables for any batches and interruptions.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAgentState } from '../../auth/agents/agent-state.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { createAgentFold } from '../../projections/fold/agent-fold.ts'
import { createProjectionMetrics } from '../../projections/projection-metrics.ts'
import { followAgents } from '../../projections/runner/agents.ts'
import { Writer } from '../../projections/runner/writer.ts'
import {
  type AgentStep,
  agentSteps,
  createAgentEvents,
  toAgentLogEntry,
  toRegistrationId,
} from '../support/log/agent-events.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import {
  createMemoryStore,
  createMemoryTables,
  type MemoryTables,
} from '../support/store/memory-store.ts'

const DAY_MS = 24 * 60 * 60_000

const createLog = async (steps: readonly AgentStep[]) => {
  const log = openMemoryLog()
  for (const event of createAgentEvents(steps)) await log.append([toAgentLogEntry(event)])
  return log
}

const readRows = (tables: MemoryTables) => ({
  claims: tables.final('claims'),
  revocations: tables.final('revocations'),
})

/** All events folded at once, into tables that keep one row per key. */
const foldedAtOnce = (steps: readonly AgentStep[]) => {
  const fold = createAgentFold()
  for (const [at, event] of createAgentEvents(steps).entries()) fold.apply(event, BigInt(at))
  const tables = createMemoryTables()
  const { claims, revocations } = fold.drain()
  tables.insert('claims', claims.map(TABLES.claims.encode))
  tables.insert('revocations', revocations.map(TABLES.revocations.encode))
  return readRows(tables)
}

/** One run of the runner. It ends after `lives` inserts; the last one may be stored or not. */
const runUntil = async (
  log: Awaited<ReturnType<typeof createLog>>,
  tables: MemoryTables,
  { inserts, batchRecords }: { inserts: number; batchRecords: number },
) => {
  const store = createMemoryStore(tables)
  const controller = new AbortController()
  let left = inserts
  store.onInsert = (table, rows) => {
    if (left-- > 0) return
    if (left % 2 === 0) tables.insert(table, rows)
    controller.abort()
    throw new AppError('STORE_UNAVAILABLE', 'cut off', { retryable: true })
  }
  const clock = createFakeClock({ startMs: 0 })
  const idle = { ...clock, sleep: async () => controller.abort() }
  const common = {
    store,
    database: 'rollcall_1',
    logger: silentLogger(),
    metrics: createProjectionMetrics(createMetrics('projections')),
    clock: idle,
    signal: controller.signal,
  }
  const writer = new Writer({ ...common, retryMaxMs: 1 })
  await followAgents({ ...common, log, writer, batchRecords, paceMs: 1 })
}

const LIVES = fc.array(
  fc.record({ inserts: fc.nat(6), batchRecords: fc.integer({ min: 1, max: 9 }) }),
  {
    maxLength: 6,
  },
)

it('the tables equal those of one fold, for any batches and interruptions', async () => {
  await fc.assert(
    fc.asyncProperty(agentSteps(5 * DAY_MS), LIVES, async (steps, lives) => {
      const log = await createLog(steps)
      const tables = createMemoryTables()
      const last = { inserts: Number.POSITIVE_INFINITY, batchRecords: 3 }
      for (const life of [...lives, last]) await runUntil(log, tables, life)
      expect(readRows(tables)).toEqual(foldedAtOnce(steps))
    }),
    { numRuns: 300 },
  )
})

it('the account of a claim equals the account that the service reports', () => {
  fc.assert(
    fc.property(agentSteps(60_000), (steps) => {
      const state = createAgentState(DAY_MS)
      for (const event of createAgentEvents(steps)) state.apply(event)
      const { claims } = foldedAtOnce(steps)
      for (const registration of [0, 1, 2]) {
        const id = toRegistrationId(registration)
        const row = claims.find(({ registration_id: rowId }) => rowId === id)
        const claim = state.claimOf(id)
        const attempt = state.latestAttempt(id)
        expect(row?.attempt_id).toBe(claim?.attemptId ?? attempt?.attemptId)
        expect(row?.state === 'completed').toBe(claim !== undefined)
        expect(row?.chain_id ?? undefined).toBe(claim?.chainId)
        if (!claim) expect(row?.state === 'denied').toBe(attempt?.state === 'denied')
      }
    }),
    { numRuns: 500 },
  )
})

it('no row contains a secret, its hash, or the wallet that signed', {
  tags: 'projections:no-wallets',
}, () => {
  const steps = (['started', 'completed', 'revoked', 'registered'] as const).map((kind) => ({
    kind,
    registration: 0,
    attempt: 0,
    by: 1,
    afterMs: 1,
  }))
  const { claims, revocations } = foldedAtOnce(steps)
  expect([claims.length, revocations.length]).toEqual([1, 1])
  const text = JSON.stringify({ claims, revocations })
  for (const secret of ['A'.repeat(43), 'ABCD-EFGH', 'a nonce', 'cosmos1', 'AAAA']) {
    expect(text).not.toContain(secret)
  }
})
