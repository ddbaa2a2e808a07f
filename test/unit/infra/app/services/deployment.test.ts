// Tests how a service with a leader ends when its term fails.
import { expect, it } from 'vitest'
import { runLed } from '../../../../../infra/app/services/services.ts'
import type { Leadership } from '../../../../../infra/base/log/kafka-leadership.ts'
import { untilAborted } from '../../../../../infra/base/runtime/abort.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { toExitCode } from '../../../../../infra/base/runtime/exit-codes.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

it('a service that fails in its term ends its process with code 70 and one line that names the event', async () => {
  const failure = new AppError('FOLD_FAILED', 'could not fold the event at offset 12, height 5')
  const closed: string[] = []
  const { logger, lines } = recordingLogger()
  const lifecycle = createLifecycle({ logger, budgetMs: 1_000 })
  const leading: Leadership = { lead: (term, signal) => term(signal), state: () => 'leading' }
  const parts = { env: {}, lifecycle, logger, metrics: [], actions: new Map() }
  runLed('ingest', leading, parts, async (term) => {
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
