// Sends a hundred thousand hostile requests from one seed: none causes a server error or leaves data in memory,
// and the service works as before. `HOSTILE_SEED=n` repeats a run.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createHostileRequests,
  type GoodParts,
  type HostileRequest,
} from '../support/api/hostile-requests.ts'
import {
  BASE_URL,
  createAuthBackend,
  createAuthRig,
  registerAnonymously,
} from '../support/auth/auth-rig.ts'
import { startIdentityProvider } from '../support/auth/identity-provider.ts'

const SEED = Number(process.env['HOSTILE_SEED'] ?? 6)
const REQUESTS = 100_000
const AT_A_TIME = 16
/** Requests that warm up the code and caches of V8. */
const WARM_UP = 30_000
/** Less than 250 bytes per following request. */
const MAX_GROWTH_BYTES = 16 * 1024 * 1024

const PATHS = [
  '/agent/identity',
  '/agent/identity',
  '/agent/identity/claim',
  '/oauth2/token',
  '/oauth2/token',
  '/oauth2/revoke',
  '/delegation',
  '/delegation/attempt',
  '/delegation/text',
  '/delegation/complete',
  '/delegation/deny',
  '/delegation/page.js',
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/mcp',
  '/agent/identity/',
  '/oauth2/token/x',
  '/delegation/%2e%2e',
  '//oauth2/token',
]

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const setup = async () => {
  const backend = await createAuthBackend()
  ends.push(backend.remove)
  const idp = await startIdentityProvider(() => backend.clock.now())
  ends.push(idp.close)
  const env = { TRUSTED_ISSUERS: idp.issuer, ALLOW_LOOPBACK_ISSUERS: 'true' }
  const rig = await createAuthRig({ backend, env: { ...env, REGISTRATIONS_PER_MINUTE: '60' } })
  ends.push(rig.close)
  const agents = [await registerAnonymously(rig), await registerAnonymously(rig)]
  const parts: GoodParts = {
    tokens: agents.flatMap((agent) => [
      agent.access_token,
      agent.identity_assertion,
      agent.claim_token,
    ]),
    idJags: [await idp.issue(BASE_URL), await idp.issue('https://x.test')],
    paths: PATHS,
  }
  return { rig, parts }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heapBytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

describe('a hundred thousand hostile requests', () => {
  it(`of seed ${SEED} cause no server error and no growth of memory`, async () => {
    const { rig, parts } = await setup()
    const next = createHostileRequests(SEED, parts)
    const failures: { request: HostileRequest; status: number; text: string }[] = []
    const statuses = new Map<number, number>()
    let sent = 0
    const sendUntil = async (count: number): Promise<void> => {
      const worker = async () => {
        while (sent < count) {
          sent += 1
          const { method, url, ...request } = next()
          const { status, text } = await rig.send(method, url, {
            headers: request.headers,
            remoteAddress: request.remoteAddress,
            ...(request.payload === undefined ? {} : { payload: request.payload }),
          })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status >= 500) failures.push({ request: { method, url, ...request }, status, text })
          if (sent % 10 === 0) rig.backend.clock.advance(1)
        }
      }
      await Promise.all(Array.from({ length: AT_A_TIME }, worker))
    }
    await sendUntil(WARM_UP)
    const warmBytes = heapBytes()
    await sendUntil(REQUESTS)
    const grownBytes = heapBytes() - warmBytes
    expect(failures.slice(0, 3)).toEqual([])
    expect(grownBytes).toBeLessThan(MAX_GROWTH_BYTES)
    // The generator reached successes, all kinds of errors, and limits.
    for (const status of [200, 400, 401, 404, 405, 413, 429]) {
      expect([status, (statuses.get(status) ?? 0) > 0]).toEqual([status, true])
    }
    const { access_token: token } = await registerAnonymously(rig)
    expect((await rig.bearer(token)).ok).toBe(true)
  })
})
