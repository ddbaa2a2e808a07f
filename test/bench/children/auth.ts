// Runs auth in its own process as `rollcall auth` does, with quotas that never limit.
// The baseline is jose alone: it signs and verifies the tokens of one request.
import {
  type CryptoKey,
  EncryptJWT,
  generateKeyPair,
  generateSecret,
  jwtVerify,
  SignJWT,
} from 'jose'
import { readAuthConfig } from '../../../auth/config.ts'
import { startAuth } from '../../../auth/main.ts'
import { startAuthService } from '../../../auth/service.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import { createLogger } from '../../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { takeOrders } from './orders.ts'

const NO_LIMIT = 1_000_000_000
const AT_A_TIME = 32
const ends: (() => Promise<void>)[] = []

const start = async ({ directory }: { directory: string }) => {
  const logger = createLogger({ service: 'bench', level: 'fatal' })
  const auth = await startAuth({
    config: readAuthConfig({ REGISTRATIONS_PER_MINUTE: String(NO_LIMIT) }),
    log: await openEmbeddedLog({ path: `${directory}/agents-log`, shared: true }),
    keysPath: `${directory}/keys`,
    baseUrl: undefined,
    logger,
    metrics: createMetrics('auth'),
  })
  const service = await startAuthService({
    auth,
    host: '127.0.0.1',
    port: 0,
    trustProxy: false,
    maxConnectionsPerAddress: 10_000,
    logger,
    rateLimitPerMinute: NO_LIMIT,
  })
  ends.push(service.close, auth.close)
  return { url: service.url }
}

const CLAIMS = {
  iss: 'http://127.0.0.1:8080',
  aud: 'http://127.0.0.1:8080',
  scope: 'proposals:read',
  sub: 'reg_0123456789abcdefghijkl',
  client_id: 'reg_0123456789abcdefghijkl',
  jti: '0123456789abcdefghijkl',
  iat: 1_800_000_000,
  exp: 4_000_000_000,
}

const signWith = (key: CryptoKey): Promise<string> =>
  new SignJWT(CLAIMS).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k' }).sign(key)

const sealWith = (key: CryptoKey | Uint8Array): Promise<string> =>
  new EncryptJWT(CLAIMS).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: 'k' }).encrypt(key)

/** Does the given cryptographic work for `seconds` and returns how often per second. */
const joseAlone = async ({ signs, verifies, seals, seconds }: Record<string, number>) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const token = await signWith(privateKey)
  const sealKey = await generateSecret('A256GCM')
  const untilMs = performance.now() + Number(seconds) * 1_000
  const startedMs = performance.now()
  let done = 0
  const worker = async () => {
    while (performance.now() < untilMs) {
      for (let count = 0; count < Number(verifies); count++) await jwtVerify(token, publicKey)
      const signing = Array.from({ length: Number(signs) }, () => signWith(privateKey))
      const sealing = Array.from({ length: Number(seals) }, () => sealWith(sealKey))
      await Promise.all([...signing, ...sealing])
      done += 1
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  return (done * 1_000) / (performance.now() - startedMs)
}

takeOrders({ start, joseAlone }, async () => {
  for (const end of ends) await end()
})
