// A revocation with any token of a registration, of any age, ends all tokens of that registration.
import { describe, expect, it } from 'vitest'
import {
  type AuthRig,
  expectRefusal,
  type Registered,
  registerAnonymously,
  useAuthRigs,
} from '../support/auth/auth-rig.ts'
import { complete, poll, start } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'

const setup = useAuthRigs()
const revoke = (rig: AuthRig, token: string) => rig.postForm('/oauth2/revoke', { token })
const exchange = (rig: AuthRig, assertion: string) =>
  rig.postForm('/oauth2/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  })
const isValid = async (rig: AuthRig, token: string) => (await rig.bearer(token)).ok

const expectEnded = async (rig: AuthRig, agent: Registered): Promise<void> => {
  const { claim_token } = agent
  expectRefusal(await rig.postJson('/agent/identity/claim', { claim_token }), 410, 'claim_revoked')
  expectRefusal(await poll(rig, agent), 400, 'expired_token')
  expect(await isValid(rig, agent.access_token)).toBe(false)
  expectRefusal(await exchange(rig, agent.identity_assertion), 400, 'invalid_grant')
}

const claimed = async (rig: AuthRig) => {
  const agent = await registerAnonymously(rig)
  const wallet = await createTestWallet(3)
  const { token } = await start(rig, agent)
  expect((await complete(rig, token, wallet)).status).toBe(200)
  return { agent, wallet, token }
}

describe('a revocation', () => {
  it('by an identity assertion that has expired ends the claim token and the access tokens', async () => {
    const rig = await setup({ config: { identityAssertionSeconds: 60 } })
    const agent = await registerAnonymously(rig)
    await rig.advance(63_000)
    expect(await isValid(rig, agent.access_token)).toBe(true)
    expect((await revoke(rig, agent.identity_assertion)).status).toBe(200)
    await expectEnded(rig, agent)
  })

  it('by a claim token ends the registration, before and after it is claimed', async () => {
    const rig = await setup()
    const agent = await registerAnonymously(rig)
    expect((await revoke(rig, agent.claim_token)).status).toBe(200)
    await expectEnded(rig, agent)

    const { agent: second } = await claimed(rig)
    const collected = (await poll(rig, second)).json()
    expect(await isValid(rig, collected.access_token)).toBe(true)
    expect((await revoke(rig, second.claim_token)).status).toBe(200)
    expect(await isValid(rig, collected.access_token)).toBe(false)
    expectRefusal(await exchange(rig, collected.identity_assertion), 400, 'unauthorized_client')
  })
})

describe('a claim', () => {
  it('ends the identity assertion and the access tokens from before', {
    tags: 'auth:claim-ends-earlier-tokens',
  }, async () => {
    const rig = await setup()
    const { agent } = await claimed(rig)
    expect(await isValid(rig, agent.access_token)).toBe(false)
    expectRefusal(await exchange(rig, agent.identity_assertion), 400, 'invalid_grant')
    const { identity_assertion: renewed } = (await poll(rig, agent)).json()
    const answer = await exchange(rig, renewed)
    expect(await isValid(rig, answer.json().access_token)).toBe(true)
    expectRefusal(await exchange(rig, agent.identity_assertion), 400, 'invalid_grant')
  })
})
