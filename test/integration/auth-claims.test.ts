// Tests of how a human claims an agent, from the first step to the new token, and of all other ends.
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  type AuthRig,
  type AuthRigOptions,
  BASE_URL,
  expectRefusal,
  registerAnonymously,
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

    const shown = (await step(rig, 'attempt', token)).json()
    expect(shown).toMatchObject({
      registration_id: agent.registration_id,
      user_code: attempt.user_code,
      client_name: 'My agent',
      login_hint: null,
      chains: [{ chain_id: HUB, address_prefix: 'cosmos' }, { chain_id: 'evm-1' }],
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
    const exchange = (assertion: string) =>
      rig.postForm('/oauth2/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      })
    expectRefusal(await exchange(agent.identity_assertion), 400, 'invalid_grant')
    const exchanged = await exchange(polled.identity_assertion)
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
    await rig.postForm('/oauth2/revoke', { token: collected.access_token })
    await rig.postForm('/oauth2/revoke', { token: collected.identity_assertion })
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
    await rig.postForm('/oauth2/revoke', { token: agent.identity_assertion })
    expectRefusal(await step(rig, 'attempt', token), 410, 'claim_revoked')
    expectRefusal(await poll(rig, agent), 400, 'expired_token')
  })
})
