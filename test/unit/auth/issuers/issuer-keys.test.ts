// The cached keys of an issuer: when they are requested again, and what is logged and answered without them.
import { expect, it } from 'vitest'
import { isPermanentRefusal } from '../../../../auth/issuers/guarded-fetch.ts'
import { createIssuerKeys } from '../../../../auth/issuers/issuer-keys.ts'
import { refusedFetch } from '../../../support/auth/refused-fetch.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const TRUSTED = { issuer: 'https://idp.example', jwksUrl: 'https://keys.example/idp' }

const setup = (error: Error) => {
  const clock = createFakeClock({ startMs: 1_000_000, autoAdvance: false })
  const { logger, lines } = recordingLogger()
  let requests = 0
  const fetchJson = async () => {
    requests++
    throw error
  }
  const { readKeys } = createIssuerKeys({ fetchJson, clock, logger })
  return { clock, lines, read: () => readKeys(TRUSTED, 'k1'), countRequests: () => requests }
}

it('an outage is one request and one warning in 30 s, and the answer has the time until the next request', async () => {
  const { clock, lines, read, countRequests } = setup(new Error('connect ECONNREFUSED'))
  const none = { ok: false, isMisconfigured: false }
  const first = await Promise.all([read(), read(), read()])
  expect(first).toEqual(first.map(() => ({ ...none, retryAfterSeconds: 30 })))
  clock.advance(20_500)
  expect(await read()).toEqual({ ...none, retryAfterSeconds: 10 })
  expect([countRequests(), lines.length]).toEqual([1, 1])
  expect(lines[0]).toMatchObject({ level: 'warn', issuer: TRUSTED.issuer })
  clock.advance(9_500)
  expect(await read()).toEqual({ ...none, retryAfterSeconds: 30 })
  expect([countRequests(), lines.length]).toEqual([2, 2])
})

it('a mistake of the settings is reported as one, with the remedy', async () => {
  const error = await refusedFetch()
  expect(isPermanentRefusal(error)).toBe(true)
  const { lines, read } = setup(error)
  expect(await read()).toMatchObject({ ok: false, isMisconfigured: true })
  expect(lines).toMatchObject([
    { level: 'warn', remedy: 'set TRUSTED_ISSUERS=https://idp.example|<URL of its keys>' },
  ])
})
