// Tests of a service with wrong ClickHouse credentials.
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { openStore } from '../../../../../infra/app/services/services.ts'
import type { Store } from '../../../../../infra/base/clickhouse/client.ts'
import { AppError, hasCode } from '../../../../../infra/base/runtime/errors.ts'
import { toExitCode } from '../../../../../infra/base/runtime/exit-codes.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'

const access = { url: 'http://clickhouse.example.org:8123', username: 'rollcall', password: 'pw' }
const away = new AppError('STORE_UNAVAILABLE', 'the store did not answer', { retryable: true })
const refused = new AppError(
  'STORE_REFUSED',
  'the store refused (AUTHENTICATION_FAILED): rollcall: Authentication failed: password is incorrect',
)

const setup = (answers: (AppError | undefined)[]) => {
  const lifecycle = createLifecycle({ logger: pino({ level: 'silent' }), budgetMs: 100 })
  const select = vi.fn(async () => {
    const error = answers.shift()
    if (error) throw error
    return []
  })
  const store = { select, close: async () => {} } as unknown as Store
  const options = { lifecycle, logger: pino({ level: 'silent' }) }
  return { lifecycle, select, open: () => openStore(access, options, () => store) }
}

describe('a service with a wrong ClickHouse password', () => {
  it('exits at once with code 78 and a message that names the settings and hides the password', async () => {
    const { open, select } = setup([refused])
    const error = await open().catch((caught: unknown) => caught)
    expect(hasCode(error, 'CONFIG_INVALID')).toBe(true)
    expect(toExitCode(error)).toBe(78)
    expect(String(error)).toMatch(/clickhouse\.example\.org:8123 .*"rollcall".*CLICKHOUSE_PASSWORD/)
    expect(String(error)).not.toMatch(/"pw"|\n/)
    expect(select).toHaveBeenCalledTimes(1)
  })

  it('also exits if ClickHouse was unavailable while the service started or was on standby', async () => {
    const { open, lifecycle } = setup([away, away, refused])
    await open()
    expect(lifecycle.failure()).toBeUndefined()
    await expect.poll(() => hasCode(lifecycle.failure(), 'CONFIG_INVALID')).toBe(true)
  })
})
