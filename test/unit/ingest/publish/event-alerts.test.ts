// Tests that missing state of a height is counted and logged, and nothing else is.
import { expect, test } from 'vitest'
import { createLogger } from '../../../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { createIngestMetrics } from '../../../../ingest/ingest-metrics.ts'
import { raiseEventAlerts } from '../../../../ingest/publish/event-alerts.ts'

const base = {
  specversion: '1.0',
  source: '/chains/test-1',
  time: '2026-01-01T00:00:00Z',
  datacontenttype: 'application/json',
  height: 7,
} as const

const started = (proposalId: string): GovernanceEvent => ({
  ...base,
  id: 'test-1/7/1',
  index: 1,
  type: 'rollcall.voting.started.v1',
  data: { proposalId, proposal: null, proposalReason: 'no such entry', txHash: null },
})
const canceled = (proposalId: string): GovernanceEvent => ({
  ...base,
  id: 'test-1/7/2',
  index: 2,
  type: 'rollcall.proposal.canceled.v1',
  data: { proposalId, sender: null, txHash: null },
})

const setup = async (events: readonly GovernanceEvent[]) => {
  const source = createMetrics('ingest')
  const metrics = createIngestMetrics(source)
  raiseEventAlerts(events, { logger: createLogger({ service: 'test', level: 'silent' }), metrics })
  return await source.registry.metrics()
}

test('a proposal whose state the node cannot return is counted as missing', async () => {
  expect(await setup([started('1')])).toMatch(/unavailable_reads_total 1\b/)
})

test('a proposal that was submitted and canceled within one block has no missing part', async () => {
  expect(await setup([started('1'), canceled('1')])).toMatch(/unavailable_reads_total 0\b/)
})

test('canceling one proposal does not hide the missing part of another one', async () => {
  expect(await setup([started('1'), started('2'), canceled('1')])).toMatch(
    /unavailable_reads_total 1\b/,
  )
})
