// Tests of a service with wrong ClickHouse credentials.
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { openStore } from '../../../../../infra/app/services/services.ts'
import type { Store } from '../../../../../infra/base/clickhouse/client.ts'
import { AppError, hasCode } from '../../../../../infra/base/runtime/errors.ts'
import { toExitCode } from '../../../../../infra/base/runtime/exit-codes.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'

it('a service with a wrong ClickHouse password exits at once with code 78 and a message that names the settings and hides the password', async () => {
  const url = 'http://clickhouse.example.org:8123'
  const select = vi.fn(async () => {
    throw new AppError('STORE_REFUSED', 'the store refused (AUTHENTICATION_FAILED): rollcall: no')
  })
  const logger = pino({ level: 'silent' })
  const options = { lifecycle: createLifecycle({ logger, budgetMs: 100 }), logger }
  const store = { select, close: async () => {} } as unknown as Store
  const opened = openStore({ url, username: 'rollcall', password: 'pw' }, options, () => store)
  const error = await opened.catch((caught: unknown) => caught)
  expect(hasCode(error, 'CONFIG_INVALID')).toBe(true)
  expect(toExitCode(error)).toBe(78)
  expect(String(error)).toMatch(/clickhouse\.example\.org:8123 .*"rollcall".*CLICKHOUSE_PASSWORD/)
  expect(String(error)).not.toMatch(/"pw"|\n/)
  expect(select).toHaveBeenCalledTimes(1)
})
