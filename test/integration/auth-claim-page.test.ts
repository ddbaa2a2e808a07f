// The claim page: its headers and files, its access rules, and concurrent attempts to end a claim.
import { describe, expect, it } from 'vitest'
import {
  type AuthAnswer,
  type AuthRigOptions,
  BASE_URL,
  createAuthBackend,
  expectRefusal,
  registerAnonymously,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'
import { complete, start, step } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'

const createRig = useAuthRigs()
const setup = async (options: AuthRigOptions = {}) => {
  const rig = await createRig(options)
  const agent = await registerAnonymously(rig)
  return { rig, agent, wallet: await createTestWallet(3) }
}

describe('a claim with two concurrent ends', () => {
  it('is either completed or refused, with the same result everywhere', async () => {
    const backend = await createAuthBackend()
    const { rig: one, agent, wallet } = await setup({ backend })
    const { rig: other } = await setup({ backend })
    const { token } = await start(one, agent)
    await expect.poll(async () => (await step(other, 'attempt', token)).status).toBe(200)
    const [completed, denied] = await Promise.all([
      complete(one, token, wallet),
      step(other, 'deny', token),
    ])
    const isClaimed = completed?.status === 200
    expect(denied?.status).toBe(isClaimed ? 409 : 200)
    if (!isClaimed) expectRefusal(completed as AuthAnswer, 403, 'claim_denied')
  })
})

describe('the claim page', () => {
  it('has no inline scripts, cannot be framed or cached, and loads files of this service only', async () => {
    const { rig } = await setup()
    const page = await rig.send('GET', '/delegation')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    )
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['referrer-policy']).toBe('no-referrer')
    expect(page.text).not.toMatch(/<script>|style=| on\w+=/)
    const loaded = [...page.text.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)]
    expect(loaded.length).toBeGreaterThan(6)
    for (const [, name = ''] of loaded) {
      expect(name).toMatch(/^(?:\.\/)?delegation\/[a-z]+\.(?:js|css|svg)$/)
      const path = `/${name.replace(/^\.\//, '')}`
      const file = await rig.send('GET', path)
      expect([file.status, file.headers['x-content-type-options']]).toEqual([200, 'nosniff'])
      expect(file.headers['content-type']).toMatch(/^(?:text\/javascript|text\/css|image\/svg)/)
      // Revalidated each time, so a page never runs with scripts of another version.
      expect(file.headers['cache-control']).toBe('no-cache')
      const headers = { 'if-none-match': file.headers['etag'] ?? '' }
      expect((await rig.send('GET', path, { headers })).status).toBe(304)
      for (const [, other] of file.text.matchAll(/ from '\.\/([\w.]+)'/g)) {
        expect(page.text).toContain(`delegation/${other}`)
      }
    }
  })

  it('gets the remaining time, the allowed chains and their signature algorithms', async () => {
    const { rig, agent } = await setup()
    const { token } = await start(rig, agent)
    await rig.advance(61_500)
    expect((await step(rig, 'attempt', token)).json()).toMatchObject({
      expires_in: 538.5,
      chains: [
        { chain_id: 'cosmoshub-4', address_prefix: 'cosmos', algorithm: 'secp256k1' },
        { chain_id: 'evm-1', address_prefix: 'evm', algorithm: 'eth-secp256k1' },
      ],
    })
  })

  it('never redirects, and shows nothing of its URL', async () => {
    const { rig } = await setup()
    for (const query of [
      'response_type=code&client_id=x&redirect_uri=https://evil.example.org/',
      'claim_attempt_token=x',
    ]) {
      const page = await rig.send('GET', `/delegation?${query}`)
      expect([page.status, page.headers['location']]).toEqual([200, undefined])
      expect(page.text).not.toContain('evil')
    }
  })

  it('accepts requests of its own origin only', async () => {
    const { rig, agent } = await setup()
    const { token } = await start(rig, agent)
    const ask = (headers: Record<string, string>) =>
      rig.postJson('/delegation/attempt', { claim_attempt_token: token }, headers)
    expectRefusal(await ask({ origin: 'https://evil.example.org' }), 403, 'foreign_origin')
    expectRefusal(await ask({ origin: 'null' }), 403, 'foreign_origin')
    expectRefusal(await ask({ 'sec-fetch-site': 'cross-site' }), 403, 'foreign_origin')
    const own = await ask({ origin: BASE_URL, 'sec-fetch-site': 'same-origin' })
    expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, undefined])
    expectRefusal(await step(rig, 'attempt', 'x'), 401, 'invalid_claim_token')
    expectRefusal(await step(rig, 'attempt', null), 400, 'invalid_request')
  })
})
