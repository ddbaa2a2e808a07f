// The auth service on a log in memory with real keys in a directory, called without a socket; the test moves its clock.
import { afterEach, expect } from 'vitest'
import { type AuthConfig, readAuthConfig } from '../../../auth/config.ts'
import type { AgentEvent } from '../../../auth/contract/agent-events.ts'
import { decodeAgentEvent } from '../../../auth/contract/agent-events.ts'
import { createKeyRecord, type KeyRecord } from '../../../auth/keys/key-files.ts'
import { startAuth } from '../../../auth/main.ts'
import { createRateLimiter } from '../../../infra/base/http/limits/rate-limit.ts'
import { createHttpServer } from '../../../infra/base/http/server.ts'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import type { Environment } from '../../../infra/base/runtime/config.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { makeDirectory, writeFileAtomically } from '../../../infra/base/runtime/files.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { type Answer, createSend } from '../http/inject.ts'
import { createMemoryLogStorage, openMemoryLog } from '../log/memory-log.ts'
import { createFakeClock } from '../process/fake-clock.ts'
import { silentLogger } from '../process/log-lines.ts'
import { until } from '../process/rollcall-process.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'

export const BASE_URL = 'https://gov.example.org'
export const DEMO_CHAINS = 'cosmoshub-4:cosmos:secp256k1,evm-1:evm:eth-secp256k1'

/** The parts that two instances share. */
export type AuthBackend = Awaited<ReturnType<typeof createAuthBackend>>

/** Key generation is slow, so all rigs of a process share one key unless they use their own. */
let common: Promise<KeyRecord> | undefined

/** `ownKeys`: the rig rejects signatures of other rigs. */
export const createAuthBackend = async ({ ownKeys = false } = {}) => {
  const directory = createTemporaryDirectory('auth')
  const keysPath = `${directory.path}/keys`
  if (!ownKeys) {
    common ??= createKeyRecord({ nowMs: Date.now(), signsFromMs: 0 })
    makeDirectory(keysPath)
    writeFileAtomically(`${keysPath}/0-common.json`, JSON.stringify(await common))
  }
  return {
    keysPath,
    log: createMemoryLogStorage(),
    clock: createFakeClock({ startMs: Date.now(), autoAdvance: false }),
    remove: directory.remove,
  }
}

export type AuthRigOptions = {
  env?: Environment
  /** Values that are no settings. */
  config?: Partial<AuthConfig>
  backend?: AuthBackend
  /** Used instead of the log in memory. */
  log?: EventLog
  baseUrl?: string
}

/** Fails like an unreachable log while `isAway`. */
const breakable = (log: EventLog) => {
  const state = { isAway: false, isFull: false }
  const orFull: EventLog['append'] = (entries) =>
    state.isFull ? Promise.reject(new AppError('LOG_FULL', 'full')) : log.append(entries)
  const orGone = <Arguments extends unknown[], Result>(
    call: (...args: Arguments) => Promise<Result>,
  ) => {
    const gone = () => new AppError('LOG_UNAVAILABLE', 'gone', { retryable: true })
    return (...args: Arguments) => (state.isAway ? Promise.reject(gone()) : call(...args))
  }
  const { read, end } = log
  return {
    state,
    log: { ...log, append: orGone(orFull), read: orGone(read), end: orGone(end) },
  }
}

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]
type Headers = Record<string, string>

export type AuthRig = Awaited<ReturnType<typeof createAuthRig>>

export const createAuthRig = async (options: AuthRigOptions = {}) => {
  const backend = options.backend ?? (await createAuthBackend())
  const { log, state } = breakable(options.log ?? openMemoryLog(backend.log, { shared: true }))
  const env = { WALLET_CHAINS: DEMO_CHAINS, REGISTRATIONS_PER_MINUTE: '100000', ...options.env }
  const auth = await startAuth({
    config: { ...readAuthConfig(env), ...options.config },
    log,
    keysPath: backend.keysPath,
    baseUrl: options.baseUrl ?? BASE_URL,
    logger: silentLogger(),
    metrics: createMetrics('auth'),
    clock: backend.clock,
  })
  const app = createHttpServer({
    trustProxy: false,
    edge: auth.edge,
    limiter: createRateLimiter(1_000_000, () => 0),
    logger: silentLogger(),
  })
  await app.register(auth.plugin)
  const send = createSend(app)
  return {
    auth,
    app,
    backend,
    send,
    /** Every event in the log. */
    events: (): AgentEvent[] =>
      backend.log.records.map(({ value }) => {
        const decoded = decodeAgentEvent(value)
        if (!decoded.ok) throw new Error(decoded.reason)
        return decoded.event
      }),
    postJson: (url: string, body: unknown, headers: Headers = {}) =>
      send('POST', url, {
        headers: { 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    postForm: (url: string, fields: Fields, headers: Headers = {}) =>
      send('POST', url, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams(fields as Record<string, string>).toString(),
      }),
    /** Makes the log unreachable, or reachable again. */
    setAway: (isAway: boolean) => {
      state.isAway = isAway
    },
    /** Makes the log refuse what is appended, as on a full disk, or accept it again. */
    setFull: (isFull: boolean) => {
      state.isFull = isFull
    },
    bearer: (token: string) => auth.verifyBearer(`Bearer ${token}`),
    /** Moves the clock, and waits until the log is read at the new time. */
    advance: async (ms: number) => {
      backend.clock.advance(ms)
      await until('the log is reachable', 60_000, () => (auth.ready().ready ? true : undefined))
    },
    close: async () => {
      await app.close()
      await auth.close()
    },
  }
}

/** Creates rigs and closes each after its test; `inspect` receives them before that. */
export const useAuthRigs = (inspect: (rig: AuthRig) => void = () => undefined) => {
  const rigs: AuthRig[] = []
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      inspect(rig)
      await rig.close()
      rig.backend.remove()
    }
  })
  return async (options: AuthRigOptions = {}): Promise<AuthRig> => {
    const rig = await createAuthRig(options)
    rigs.push(rig)
    return rig
  }
}

export type Registered = {
  registration_id: string
  client_id: string
  identity_assertion: string
  claim_token: string
  access_token: string
  scope: string
}

export const registerAnonymously = async (rig: AuthRig): Promise<Registered> => {
  const answer = await rig.postJson('/agent/identity', { type: 'anonymous' })
  expect(answer.status).toBe(200)
  return answer.json() as Registered
}

/** The exact code in the format of RFC 6749, in a response that no cache may store. */
export const expectRefusal = (answer: Answer, status: number, error: string): void => {
  expect([answer.status, answer.json().error]).toEqual([status, error])
  expect(answer.json().error_description).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/)
  expect(answer.json().message).toBe(answer.json().error_description)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const exchange = (rig: AuthRig, assertion: string, more: object = {}): Promise<Answer> =>
  rig.postForm('/oauth2/token', { grant_type: JWT_BEARER, assertion, ...more })

export const revoke = (rig: AuthRig, token: string): Promise<Answer> =>
  rig.postForm('/oauth2/revoke', { token })

export const isValid = async (rig: AuthRig, token: string): Promise<boolean> =>
  (await rig.bearer(token)).ok
