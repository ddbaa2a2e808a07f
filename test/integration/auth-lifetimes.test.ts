// Tests that each configured lifetime is issued and enforced.
import { describe, expect, it } from 'vitest'
import { type AuthRig, registerAnonymously, useAuthRigs } from '../support/auth/auth-rig.ts'
import { HUB, poll, start, step } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'

const setup = useAuthRigs()

const LIFETIMES = {
  ACCESS_TOKEN_SECONDS: '120',
  IDENTITY_ASSERTION_SECONDS: '300',
  CLAIM_TOKEN_SECONDS: '2000',
  CLAIM_ATTEMPT_SECONDS: '90',
}

const secondsUntil = (rig: AuthRig, instant: string): number =>
  Math.ceil((Date.parse(instant) - rig.backend.clock.now()) / 1_000)

const exchange = (rig: AuthRig, assertion: string) =>
  rig.postForm('/oauth2/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  })

const isValid = async (rig: AuthRig, token: string) => (await rig.bearer(token)).ok

describe('the lifetimes of the settings', () => {
  it('are those of the responses', { tags: 'auth:lifetimes-are-configurable' }, async () => {
    const rig = await setup({ env: LIFETIMES })
    const registered = (await rig.postJson('/agent/identity', { type: 'anonymous' })).json()
    expect(registered.expires_in).toBe(120)
    expect(secondsUntil(rig, registered.assertion_expires)).toBe(300)
    expect(secondsUntil(rig, registered.claim_token_expires)).toBe(2_000)
    const { answer } = await start(rig, registered)
    expect(answer.json().claim_attempt.expires_in).toBe(90)
    const exchanged = await exchange(rig, registered.identity_assertion)
    expect(exchanged.json().expires_in).toBe(120)
  })

  it('end an access token, an assertion, a claim attempt and a claim token', {
    tags: 'auth:lifetimes-are-configurable',
  }, async () => {
    const rig = await setup({ env: LIFETIMES })
    const registered = await registerAnonymously(rig)
    const { access_token: token, identity_assertion: assertion } = registered
    const attempt = await start(rig, registered)
    const { address } = await createTestWallet(3)
    const readText = async () =>
      (await step(rig, 'text', attempt.token, { chain_id: HUB, address })).status
    await rig.advance(85_000)
    expect(await readText()).toBe(200)
    await rig.advance(30_000)
    expect(await readText()).not.toBe(200)
    expect(await isValid(rig, token)).toBe(true)
    await rig.advance(10_000)
    expect(await isValid(rig, token)).toBe(false)
    expect((await exchange(rig, assertion)).status).toBe(200)
    await rig.advance(180_000)
    expect((await exchange(rig, assertion)).status).toBe(400)
    expect((await poll(rig, registered)).json().error).not.toBe('invalid_grant')
    await start(rig, registered)
    await rig.advance(1_700_000)
    const late = await rig.postJson('/agent/identity/claim', {
      claim_token: registered.claim_token,
    })
    expect(late.status).toBe(410)
  })

  it('without settings are those of the contract', {
    tags: 'auth:lifetimes-are-configurable',
  }, async () => {
    const rig = await setup()
    const registered = (await rig.postJson('/agent/identity', { type: 'anonymous' })).json()
    expect(registered.expires_in).toBe(15 * 60)
    expect(secondsUntil(rig, registered.assertion_expires)).toBe(3_600)
    expect(secondsUntil(rig, registered.claim_token_expires)).toBe(24 * 3_600)
    expect((await start(rig, registered)).answer.json().claim_attempt.expires_in).toBe(10 * 60)
  })
})
