// Tests of how a service with a leader ends when its term fails, and of the metric that shows which process leads.
import { expect, it } from 'vitest'
import type { Service } from '../../../../../infra/app/services/service-process.ts'
import { runLed } from '../../../../../infra/app/services/services.ts'
import type { Leadership } from '../../../../../infra/base/log/kafka-leadership.ts'
import { untilAborted } from '../../../../../infra/base/runtime/abort.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { toExitCode } from '../../../../../infra/base/runtime/exit-codes.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'
import { createMetrics, type Metrics } from '../../../../../infra/base/runtime/metrics.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

const leading: Leadership = {
  lead: (term, signal) => term(signal),
  state: () => 'leading',
}

const setup = (leadership: Leadership, start: Service['start']) => {
  const { logger, lines } = recordingLogger()
  const lifecycle = createLifecycle({ logger, budgetMs: 1_000 })
  const metrics: Metrics[] = []
  const parts = { env: {}, lifecycle, logger, metrics, actions: new Map() }
  return { lines, lifecycle, metrics, ready: runLed('ingest', leadership, parts, start) }
}

it('a service that fails in its term ends its process with code 70 and one line that names the event', async () => {
  const failure = new AppError('FOLD_FAILED', 'could not fold the event at offset 12, height 5')
  const closed: string[] = []
  const { lifecycle, lines } = setup(leading, async (term) => {
    for (const name of ['log', 'projections']) {
      term.lifecycle.onShutdown(name, async () => void closed.push(name))
    }
    term.lifecycle.fail(failure)
    return () => ({ ready: true, reasons: [] })
  })
  await untilAborted(lifecycle.signal)
  await lifecycle.shutdown('failure')
  expect(toExitCode(lifecycle.failure())).toBe(70)
  expect(closed).toEqual(['projections', 'log'])
  const named = lines.filter((line) => JSON.stringify(line).includes('offset 12, height 5'))
  expect(named.map(({ level }) => level)).toEqual(['fatal'])
})

it('a term that is lost while it begins closes what it opens afterwards, and leaves no metrics', async () => {
  const lost = new AbortController()
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let terms = 0
  const leadership: Leadership = {
    ...leading,
    lead: async (term) => {
      await term(lost.signal)
      terms++
    },
  }
  let isClosed = false
  const { lifecycle, metrics, ready } = setup(leadership, async (term) => {
    await opened
    expect(term.lifecycle.signal.aborted).toBe(true)
    term.lifecycle.onShutdown('log', async () => {
      isClosed = true
    })
    term.metrics.push(createMetrics('projections'))
    return () => ({ ready: true, reasons: ['in its term'] })
  })
  lost.abort()
  open()
  await expect.poll(() => terms).toBe(1)
  expect(isClosed).toBe(true)
  expect(metrics).toHaveLength(1)
  expect(ready()).toEqual({ ready: false, reasons: ['its term is starting'] })
  expect(lifecycle.failure()).toBeUndefined()
})
