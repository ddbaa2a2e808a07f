// Tests how much one address can add to the log of agents: the bytes of each fact, and the facts of a day.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readAuthConfig } from '../../auth/config.ts'
import { createQuota } from '../../auth/quotas.ts'
import { registerAnonymously, useAuthRigs } from '../support/auth/auth-rig.ts'
import { start } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'

const setup = useAuthRigs()

/** Of a record in the embedded log, beside its value: its checksum, height and time, and its entry in the index. */
const ROW_BYTES = 40

const page = readFileSync('auth/OPERATION.md', 'utf8')
const statedBytes = (what: string): number =>
  Number(new RegExp(`${what} takes at most ([\\d,]+) bytes`).exec(page)?.[1]?.replaceAll(',', ''))

it('a started claim and a revocation take the bytes that the page states', async () => {
  const rig = await setup()
  const registered = await registerAnonymously(rig)
  const sizes = () => rig.backend.log.records.map(({ value }) => value.byteLength + ROW_BYTES)
  await start(rig, registered, {
    client_name: '😀'.repeat(80),
    login_hint: (await createTestWallet(3)).address,
  })
  const [claim = Number.NaN] = sizes()
  await rig.postForm('/oauth2/revoke', { token: registered.access_token })
  const [, revocation = Number.NaN] = sizes()
  for (const [what, bytes] of [
    ['A started claim', claim],
    ['a revocation', revocation],
  ] as const) {
    expect(statedBytes(what), what).toBeGreaterThanOrEqual(bytes)
    expect(statedBytes(what), what).toBeLessThan(bytes * 1.5)
  }
})

it('one address starts 1,200 claims a day at most, whatever its pace, and other addresses are not affected', () => {
  const clock = createFakeClock({ startMs: 0, autoAdvance: false })
  const config = readAuthConfig({})
  const quota = createQuota({ perAddress: 60, total: 600, perDay: config.claimsPerDay }, clock)
  let taken = 0
  for (let minute = 0; minute < 24 * 60; minute++) {
    for (let at = 0; at < 60; at++) taken += quota.take('203.0.113.7').isExceeded ? 0 : 1
    clock.advance(59_000)
  }
  expect(taken).toBe(1_200)
  expect(quota.take('203.0.113.7').resetSeconds).toBeGreaterThan(60)
  expect(quota.take('203.0.113.8').isExceeded).toBe(false)
  clock.advance(86_400_000)
  expect(quota.take('203.0.113.7').isExceeded).toBe(false)
})
