// A service that only verifies tokens needs no private key: it reads the public keys of auth.

import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAuthConfig } from '../../auth/config.ts'
import { addKey } from '../../auth/keys/key-files.ts'
import { startAuth } from '../../auth/main.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import {
  BASE_URL,
  createAuthBackend,
  registerAnonymously,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { recordingLogger } from '../support/process/log-lines.ts'

const createRig = useAuthRigs()

/** Auth behind a socket, and a reader that has only its URL. */
const setup = async () => {
  const backend = await createAuthBackend({ ownKeys: true })
  const rig = await createRig({ backend })
  const state = { isAway: true }
  const server = createServer(async (request, response) => {
    const answer = state.isAway
      ? undefined
      : await rig.send('GET', request.url ?? '').catch(() => {})
    response.writeHead(answer?.status ?? 503).end(answer?.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const keysPath = `${backend.keysPath}-of-the-reader`
  const { logger, lines } = recordingLogger()
  const reader = await startAuth({
    config: readAuthConfig({ JWKS_URL: `http://127.0.0.1:${port}/.well-known/jwks.json` }),
    log: openMemoryLog(backend.log),
    keysPath,
    baseUrl: BASE_URL,
    makesKeys: false,
    logger,
    metrics: createMetrics('auth'),
    clock: backend.clock,
  })
  onTestFinished(() => reader.close())
  const verify = (token: string) => reader.verifyBearer(`Bearer ${token}`)
  return { rig, backend, state, keysPath, lines, verify }
}

describe('a reader with only the public keys', () => {
  it('accepts no token before it has them, then accepts those of auth, also with its next key', async () => {
    const { rig, backend, state, keysPath, lines, verify } = await setup()
    const { access_token: token } = await registerAnonymously(rig)
    expect(await verify(token)).toMatchObject({ ok: false, isUnavailable: true })
    for (let round = 0; round < 3; round++) backend.clock.advance(2_000)
    state.isAway = false
    const advance = async (accepted: string) => {
      backend.clock.advance(2_000)
      return (await verify(accepted)).ok
    }
    await expect.poll(() => advance(token)).toBe(true)
    expect(lines.filter(({ msg }) => msg.includes('public keys'))).toHaveLength(1)

    const nowMs = backend.clock.now()
    const { kid } = await addKey(backend.keysPath, { nowMs, signsFromMs: nowMs })
    const renewed = async () => {
      const { access_token: accepted } = await registerAnonymously(rig)
      return (await advance(accepted)) && decodeProtectedHeader(accepted).kid === kid
    }
    await expect.poll(renewed).toBe(true)
    state.isAway = true
    const { access_token: later } = await registerAnonymously(rig)
    await expect.poll(() => advance(later)).toBe(true)
    expect(existsSync(keysPath)).toBe(false)
  })

  it('rejects tokens of another service', async () => {
    const { state, backend, verify } = await setup()
    state.isAway = false
    const otherIssuer = await createRig({ backend: await createAuthBackend({ ownKeys: true }) })
    const { access_token: forged } = await registerAnonymously(otherIssuer)
    const verifyLater = async () => {
      backend.clock.advance(2_000)
      return (await verify(forged)) as { isUnavailable?: boolean }
    }
    await expect.poll(async () => (await verifyLater()).isUnavailable).toBe(false)
  })
})
