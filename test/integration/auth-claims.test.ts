// Tests of how a human claims an agent, from the first step to the new token, of all other ends, and of the page for it.
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  type AuthRig,
  type AuthRigOptions,
  BASE_URL,
  exchange,
  expectRefusal,
  registerAnonymously,
  revoke,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'
import { complete, HUB, poll, start, step, textFor } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'

const createRig = useAuthRigs()
const setup = async (options: AuthRigOptions = {}) => {
  const rig = await createRig(options)
  const agent = await registerAnonymously(rig)
  return { rig, agent, wallet: await createTestWallet(3) }
}

const readEventTypes = (rig: AuthRig) =>
  rig.events().map(({ type }) => type.split('.').slice(1, 3).join('.'))

describe('a claim', () => {
  it('goes from the agent to the human and back, and revokes the earlier tokens', async () => {
    const { rig, agent, wallet } = await setup()
    const { answer, token } = await start(rig, agent, { client_name: 'My agent' })
    const attempt = answer.json().claim_attempt
    expect(answer.json()).toMatchObject({
      registration_id: agent.registration_id,
      status: 'initiated',
      claim_attempt: { expires_in: 600, interval: 5 },
    })
    expect(attempt.verification_uri).toMatch(`${BASE_URL}/delegation#`)
    expect(attempt.verification_uri).not.toContain(attempt.user_code)
    expectRefusal(await poll(rig, agent), 400, 'authorization_pending')

    await rig.advance(61_500)
    const shown = (await step(rig, 'attempt', token)).json()
    expect(shown).toMatchObject({
      registration_id: agent.registration_id,
      user_code: attempt.user_code,
      client_name: 'My agent',
      login_hint: null,
      expires_in: 538.5,
      chains: [
        { chain_id: HUB, address_prefix: 'cosmos', algorithm: 'secp256k1' },
        { chain_id: 'evm-1', address_prefix: 'evm', algorithm: 'eth-secp256k1' },
      ],
    })
    const done = await complete(rig, token, wallet)
    expect(done.json()).toMatchObject({ status: 'claimed', address: wallet.address })

    expect(await rig.bearer(agent.access_token)).toMatchObject({ ok: false })
    const polled = (await poll(rig, agent)).json()
    expect((await rig.bearer(polled.access_token)).ok).toBe(true)
    expect(decodeJwt(polled.identity_assertion)).toMatchObject({
      sub: agent.registration_id,
      wallet: { chain_id: HUB, address: wallet.address },
    })
    expectRefusal(await exchange(rig, agent.identity_assertion), 400, 'invalid_grant')
    const exchanged = await exchange(rig, polled.identity_assertion)
    expect((await rig.bearer(exchanged.json().access_token)).ok).toBe(true)
    expect(readEventTypes(rig)).toEqual(['claim.started', 'claim.completed', 'claim.redeemed'])
  })

  it('requires a signed text with the agent, the service, the lifetime and its limits', async () => {
    const { rig, agent, wallet } = await setup()
    const { answer, token } = await start(rig, agent)
    const { claim_attempt_id: attemptId, claim_attempt: attempt, expires_at: ends } = answer.json()
    const lines = (await textFor(rig, token, wallet)).split('\n')
    expect(lines[0]).toBe('gov.example.org wants you to sign in with your Cosmos account:')
    expect(lines[1]).toBe(wallet.address)
    expect(lines[3]).toBe(
      `Link agent registration ${agent.registration_id} (code ${attempt.user_code}) to this wallet. This cannot vote or move funds.`,
    )
    expect(lines.slice(5)).toEqual([
      `URI: ${BASE_URL}/delegation`,
      'Version: 1',
      `Chain ID: ${HUB}`,
      expect.stringMatching(/^Nonce: [0-9a-f]{24}$/),
      `Issued At: ${new Date(rig.backend.clock.now()).toISOString()}`,
      `Expiration Time: ${ends}`,
      `Request ID: ${attemptId}`,
      'Resources:',
      `- ${BASE_URL}/agent/identity/claim`,
    ])
  })

  it('can be completed with a key of an eth-style chain', async () => {
    const { rig, agent } = await setup()
    const wallet = await createTestWallet(9, { prefix: 'evm', algorithm: 'eth-secp256k1' })
    const { token } = await start(rig, agent)
    expect((await complete(rig, token, wallet, 'evm-1')).json().status).toBe('claimed')
  })

  it('writes only hashes of tokens to the log', {
    tags: 'auth:tokens-are-not-stored',
  }, async () => {
    const { rig, agent, wallet } = await setup()
    const { token } = await start(rig, agent)
    await complete(rig, token, wallet)
    const collected = (await poll(rig, agent)).json()
    await revoke(rig, collected.access_token)
    await revoke(rig, collected.identity_assertion)
    const log = JSON.stringify(rig.events())
    const own = [agent, collected].flatMap((each) => [each.access_token, each.identity_assertion])
    for (const secret of [token as string, agent.claim_token, ...own]) {
      expect(log).not.toContain(secret)
    }
  })

  it('returns slow_down to an agent that polls too fast, else the status', {
    tags: 'auth:claim-is-optional',
  }, async () => {
    const { rig, agent } = await setup()
    await start(rig, agent)
    const codes: string[] = []
    for (const pauseMs of [0, 5_000, 1_000, 5_000]) {
      await rig.advance(pauseMs)
      codes.push((await poll(rig, agent)).json().error)
    }
    const [pending, slow] = ['authorization_pending', 'slow_down']
    expect(codes).toEqual([pending, pending, slow, pending])
  })

  it('can be denied by the human, and started again', {
    tags: 'auth:claim-is-optional',
  }, async () => {
    const { rig, agent, wallet } = await setup()
    const { token } = await start(rig, agent)
    expect((await step(rig, 'deny', token)).json().status).toBe('denied')
    expectRefusal(await poll(rig, agent), 400, 'access_denied')
    expectRefusal(await step(rig, 'attempt', token), 403, 'claim_denied')
    expectRefusal(await step(rig, 'deny', token), 403, 'claim_denied')
    expect((await rig.bearer(agent.access_token)).ok).toBe(true)
    const { token: second } = await start(rig, agent)
    expect((await complete(rig, second, wallet)).status).toBe(200)
    expect((await poll(rig, agent)).status).toBe(200)
  })

  it('expires after ten minutes; the agent stays valid and can start another', {
    tags: 'auth:claim-is-optional',
  }, async () => {
    const { rig, agent, wallet } = await setup()
    const { token } = await start(rig, agent)
    const signed = await wallet.sign(await textFor(rig, token, wallet))
    await rig.advance(600_000)
    expectRefusal(await step(rig, 'attempt', token), 410, 'claim_expired')
    const late = { chain_id: HUB, address: wallet.address, ...signed }
    expectRefusal(await step(rig, 'complete', token, late), 410, 'claim_expired')
    expectRefusal(await poll(rig, agent), 400, 'expired_token')
    expect((await rig.bearer(agent.access_token)).ok).toBe(true)
    await start(rig, agent)
    expectRefusal(await poll(rig, agent), 400, 'authorization_pending')
  })

  it('replaces the previous claim', async () => {
    const { rig, agent, wallet } = await setup()
    const { token: first } = await start(rig, agent)
    const { token: second } = await start(rig, agent)
    expectRefusal(await step(rig, 'attempt', first), 410, 'claim_superseded')
    expect((await complete(rig, second, wallet)).status).toBe(200)
    expectRefusal(await step(rig, 'attempt', second), 409, 'claim_completed')
    expectRefusal(await step(rig, 'attempt', first), 409, 'claimed_or_in_flight')
    const again = await rig.postJson('/agent/identity/claim', { claim_token: agent.claim_token })
    expectRefusal(again, 409, 'claimed_or_in_flight')
  })

  it('is restricted to the hinted wallet, given as an address or as CAIP-10', async () => {
    const { rig, agent, wallet } = await setup()
    for (const login_hint of [wallet.address, `cosmos:${HUB}:${wallet.address}`]) {
      const { token } = await start(rig, agent, { type: 'login_hint', login_hint })
      const other = await createTestWallet(4)
      const chosenAccount = { chain_id: HUB, address: other.address }
      expectRefusal(await step(rig, 'text', token, chosenAccount), 400, 'address_mismatch')
      const signed = await other.sign('anything')
      const forged = { ...chosenAccount, ...signed }
      expectRefusal(await step(rig, 'complete', token, forged), 400, 'address_mismatch')
    }
    const { token } = await start(rig, agent, { login_hint: wallet.address })
    expect((await complete(rig, token, wallet)).status).toBe(200)
  })

  it('is not completed by a signature over other data', {
    tags: 'auth:claim-needs-signature',
  }, async () => {
    const { rig, agent, wallet } = await setup()
    const { token: old } = await start(rig, agent)
    const oldText = await textFor(rig, old, wallet)
    const { token } = await start(rig, agent)
    const text = await textFor(rig, token, wallet)
    const elsewhere = text.replaceAll('gov.example.org', 'evil.example.org')
    const chosenAccount = { chain_id: HUB, address: wallet.address }
    for (const other of [oldText, elsewhere, `${text}\n`, '']) {
      const answer = await step(rig, 'complete', token, {
        ...chosenAccount,
        ...(await wallet.sign(other)),
      })
      expectRefusal(answer, 400, 'invalid_signature')
    }
    const mirrored = await createTestWallet(3, { highS: true })
    const twin = await mirrored.sign(text)
    expectRefusal(
      await step(rig, 'complete', token, { ...chosenAccount, ...twin }),
      400,
      'invalid_signature',
    )
    const otherSignature = await (await createTestWallet(5)).sign(text)
    const foreign = await step(rig, 'complete', token, { ...chosenAccount, ...otherSignature })
    expectRefusal(foreign, 400, 'address_mismatch')
    for (const chain_id of ['osmosis-1', '', 'evm-1']) {
      const code = chain_id === 'evm-1' ? 'address_mismatch' : 'chain_not_allowed'
      expectRefusal(await step(rig, 'text', token, { ...chosenAccount, chain_id }), 400, code)
    }
    expect(readEventTypes(rig)).toEqual(['claim.started', 'claim.started'])
  })

  it('accepts each signature once', { tags: 'auth:claim-needs-signature' }, async () => {
    const { rig, agent, wallet } = await setup()
    const { token } = await start(rig, agent)
    const signed = await wallet.sign(await textFor(rig, token, wallet))
    const body = { chain_id: HUB, address: wallet.address, ...signed }
    expect((await step(rig, 'complete', token, body)).status).toBe(200)
    expectRefusal(await step(rig, 'complete', token, body), 409, 'claim_completed')
    expect(readEventTypes(rig)).toEqual(['claim.started', 'claim.completed'])
  })

  it('of a revoked registration is closed', async () => {
    const { rig, agent } = await setup()
    const { token } = await start(rig, agent)
    await revoke(rig, agent.identity_assertion)
    expectRefusal(await step(rig, 'attempt', token), 410, 'claim_revoked')
    expectRefusal(await poll(rig, agent), 400, 'expired_token')
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
