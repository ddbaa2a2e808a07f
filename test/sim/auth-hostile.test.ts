// Sends a hundred thousand hostile requests from one seed: none causes a server error or leaves data in memory,
// and the service works as before. `HOSTILE_SEED=n` repeats a run.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { hostileText, PROTOTYPE_NAMES } from '../support/api/hostile-texts.ts'
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
  ...['/agent/identity', '/agent/identity/claim', '/oauth2/token', '/oauth2/revoke', '/delegation'],
  ...['attempt', 'text', 'complete', 'deny', 'page.js', '%2e%2e'].map((at) => `/delegation/${at}`),
  ...['jwks.json', 'oauth-authorization-server', 'oauth-protected-resource/mcp'].map(
    (name) => `/.well-known/${name}`,
  ),
  ...['/agent/identity/', '/oauth2/token/x', '//oauth2/token', '/oauth2/register'],
]
/** Mostly the one that most paths expect. */
const METHODS = [...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], ...Array(60).fill('POST')]
const TYPES = [
  ...['text/plain', 'multipart/form-data', 'application/jwt', '', 'x', 'application/JSON;;'],
  'application/json; charset=utf-16',
]
const NAMES = [
  ...['grant_type', 'assertion', 'assertion_type', 'type', 'token', 'claim_token', 'scope'],
  ...['client_id', 'client_secret', 'resource', 'login_hint', 'claim_attempt_token', 'chain_id'],
  ...['address', 'pub_key', 'signature', '', 'é', ...PROTOTYPE_NAMES],
]
const VALUES = [
  ...['anonymous', 'identity_assertion', 'service_auth', 'client_credentials', 'proposals:read'],
  ...['authorization_code', 'cosmoshub-4', 'clm_', 'reg_', 'a.b.c', '..', 'e30.e30.e30', 'null'],
  ...['\u0000', '%00', '../../etc/passwd', "' OR 1=1 --", '<script>', '\ud800', '\u202e', '[]'],
  '{}',
  'urn:ietf:params:oauth:token-type:id-jag',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:workos:agent-auth:grant-type:claim',
  '9'.repeat(400),
]
/** What is done to a text at a place. */
const BENDS: readonly ((text: string, at: number) => string)[] = [
  (text) => text,
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(at),
  (text, at) => `${text.slice(0, at)}~${text.slice(at + 1)}`,
  (text) => text + text,
  (text) => text.split('.').reverse().join('.'),
  (text) => text.replace(/[^.]+$/, ''),
  (text) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${text.split('.')[1]}.`,
]
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

const seldom = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })

/** `tokens` are valid. A few addresses send again and again. */
const requestFrom = (tokens: readonly string[]) => {
  const bend = (text: fc.Arbitrary<string>) =>
    fc
      .tuple(text, fc.constantFrom(...BENDS), fc.nat())
      .map(([whole, bent, at]) => bent(whole, at % (whole.length + 1)))
  const text = fc.oneof(bend(fc.constantFrom(...tokens)), fc.constantFrom(...VALUES), hostileText())
  const fields = <Value>(value: fc.Arbitrary<Value>) =>
    fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 6 })
  const json = fc
    .tuple(fc.constantFrom(...VALUES), fields(fc.oneof(text, fc.jsonValue({ maxDepth: 2 }))))
    .map(([type, members]) => JSON.stringify({ type, ...Object.fromEntries(members) }))
  const form = fc
    .tuple(fc.constantFrom(...VALUES), fields(text))
    .map(([type, members]) => `${new URLSearchParams([['grant_type', type], ...members])}`)
  const nested = fc
    .tuple(fc.constantFrom('[', '{"a":', 'x'), fc.nat(40_000))
    .map(([part, count]) => part.repeat(count))
  const body = (type: string, content: fc.Arbitrary<string>) =>
    fc.record({
      payload: fc.oneof(
        { weight: 6, arbitrary: content },
        { weight: 2, arbitrary: bend(content) },
        { weight: 1, arbitrary: nested },
      ),
      type: fc.oneof(
        { weight: 5, arbitrary: fc.constant(type) },
        { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
      ),
    })
  const header = seldom(text.map(printable))
  const scheme = fc.constantFrom('Bearer ', 'Basic ', '')
  return fc.record({
    method: fc.constantFrom(...METHODS),
    path: fc.constantFrom(...PATHS),
    query: seldom(fields(text)),
    body: fc.oneof(body(JSON_TYPE, json), body(FORM_TYPE, form)),
    headers: fc.record({
      authorization: seldom(fc.tuple(scheme, text).map(([of, token]) => printable(of + token))),
      origin: seldom(fc.constantFrom('null', 'https://evil.test', '', 'x')),
      'if-none-match': header,
      host: header,
    }),
    remoteAddress: fc.oneof(fc.constantFrom('192.0.2.1', '192.0.2.2'), fc.ipV4()),
  })
}

type HostileRequest = ReturnType<typeof requestFrom> extends fc.Arbitrary<infer Made> ? Made : never

const setup = async () => {
  const backend = await createAuthBackend()
  onTestFinished(backend.remove)
  const idp = await startIdentityProvider(() => backend.clock.now())
  onTestFinished(idp.close)
  const env = { TRUSTED_ISSUERS: idp.issuer, ALLOW_LOOPBACK_ISSUERS: 'true' }
  const rig = await createAuthRig({ backend, env: { ...env, REGISTRATIONS_PER_MINUTE: '60' } })
  onTestFinished(rig.close)
  const agents = [await registerAnonymously(rig), await registerAnonymously(rig)]
  const own = agents.flatMap(({ access_token, identity_assertion, claim_token }) => [
    access_token,
    identity_assertion,
    claim_token,
  ])
  const foreign = [await idp.issue(BASE_URL), await idp.issue('https://x.test')]
  return { rig, requests: requestFrom([...own, ...foreign]) }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heapBytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

it(`a hundred thousand hostile requests of seed ${SEED} cause no server error and no growth of memory`, async () => {
  const { rig, requests } = await setup()
  const failures: object[] = []
  const statuses = new Set<number>()
  const send = async (request: HostileRequest) => {
    const { method, path, query, body, headers, remoteAddress } = request
    const given = Object.entries(headers).filter(([, value]) => value !== null)
    const { status, text } = await rig.send(method, `${path}?${new URLSearchParams(query ?? [])}`, {
      headers: { 'content-type': body.type, ...Object.fromEntries(given) },
      ...(method === 'POST' ? { payload: body.payload } : {}),
      remoteAddress,
    })
    statuses.add(status)
    if (status >= 500) failures.push({ request, status, text })
  }
  const sendAll = async (seed: number, count: number) => {
    for (let sent = 0; sent < count; sent += AT_A_TIME) {
      const some = fc.sample(requests, { seed: seed + sent, numRuns: AT_A_TIME })
      await Promise.all(some.map(send))
      rig.backend.clock.advance(2)
    }
  }
  await sendAll(SEED, WARM_UP)
  const warmBytes = heapBytes()
  await sendAll(SEED + WARM_UP, REQUESTS - WARM_UP)
  const grownBytes = heapBytes() - warmBytes
  expect(failures.slice(0, 3)).toEqual([])
  expect(grownBytes).toBeLessThan(MAX_GROWTH_BYTES)
  // They reached successes, all kinds of errors, and limits.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 413, 429]))
  const { access_token: token } = await registerAnonymously(rig)
  expect((await rig.bearer(token)).ok).toBe(true)
})
