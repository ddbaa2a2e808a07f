// Tests of how a service with a leader ends when its term fails, and of the metric that shows which process leads.
import { expect, it } from 'vitest'
import { runLedService } from '../../../../../infra/app/services/deployment.ts'
import type { Leadership } from '../../../../../infra/base/log/kafka-leadership.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { toExitCode } from '../../../../../infra/base/runtime/exit-codes.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'
import { createMetrics, type Metrics } from '../../../../../infra/base/runtime/metrics.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

const leading: Leadership = {
  lead: (term, signal) => term(signal),
  state: () => 'leading',
}

it('projections that fail on an event end their process with code 70 and one line that names the event', async () => {
  const { logger, lines } = recordingLogger()
  const lifecycle = createLifecycle({ logger, budgetMs: 1_000 })
  const failure = new AppError('FOLD_FAILED', 'could not fold the event at offset 12, height 5')
  let isClosed = false
  const begin = async () => ({
    metrics: createMetrics('projections'),
    done: Promise.reject(failure),
    readiness: () => ({ ready: true, reasons: [] }),
    close: async () => {
      isClosed = true
    },
  })
  runLedService({
    name: 'projections',
    leadership: leading,
    begin,
    lifecycle,
    logger,
    metrics: [],
  })
  await new Promise((resolve) => lifecycle.signal.addEventListener('abort', resolve))
  await lifecycle.shutdown('failure')
  expect(toExitCode(lifecycle.failure())).toBe(70)
  expect(isClosed).toBe(true)
  const named = lines.filter((line) => JSON.stringify(line).includes('offset 12, height 5'))
  expect(named.map(({ level }) => level)).toEqual(['fatal'])
})

it('reports the current leadership at each scrape', async () => {
  const { logger } = recordingLogger()
  const lifecycle = createLifecycle({ logger, budgetMs: 1_000 })
  let state: ReturnType<Leadership['state']> = 'standby'
  const leadership: Leadership = { ...leading, lead: async () => {}, state: () => state }
  const metrics: Metrics[] = []
  const begin = () => Promise.reject(new Error('it never leads'))
  runLedService({ name: 'ingest', leadership, begin, lifecycle, logger, metrics })
  expect(await metrics[0]?.registry.metrics()).toContain('rollcall_ingest_leading 0')
  state = 'leading'
  expect(await metrics[0]?.registry.metrics()).toContain('rollcall_ingest_leading 1')
})
