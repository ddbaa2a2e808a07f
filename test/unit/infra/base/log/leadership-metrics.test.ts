// Tests of the metric that shows which process leads.
import { expect, it } from 'vitest'
import { measureLeadership } from '../../../../../infra/base/log/leadership-metrics.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'

it('reports the current leadership at each scrape', async () => {
  const metrics = createMetrics('ingest')
  let isLeading = false
  measureLeadership(metrics, () => isLeading)
  expect(await metrics.registry.metrics()).toContain('rollcall_ingest_leading 0')
  isLeading = true
  expect(await metrics.registry.metrics()).toContain('rollcall_ingest_leading 1')
})
