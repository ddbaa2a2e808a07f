// The steps of a claim by an agent and a human, one request each.
import { expect } from 'vitest'
import type { Answer } from '../http/inject.ts'
import type { AuthRig, Registered } from './auth-rig.ts'
import type { TestWallet } from './test-wallet.ts'

export const HUB = 'cosmoshub-4'
export const start = async (rig: AuthRig, { claim_token }: Registered, more: object = {}) => {
  const answer = await rig.postJson('/agent/identity/claim', { claim_token, ...more })
  expect(answer.status).toBe(200)
  const { verification_uri: uri } = answer.json().claim_attempt
  return {
    answer,
    token: new URLSearchParams(new URL(uri).hash.slice(1)).get('claim_attempt_token'),
  }
}
export const step = (rig: AuthRig, name: string, token: string | null, more: object = {}) =>
  rig.postJson(`/delegation/${name}`, { claim_attempt_token: token, ...more })
export const textFor = async (
  rig: AuthRig,
  token: string | null,
  { address }: TestWallet,
  chain = HUB,
) => {
  const answer = await step(rig, 'text', token, { chain_id: chain, address })
  expect(answer.status).toBe(200)
  return answer.json().text as string
}
export const complete = async (
  rig: AuthRig,
  token: string | null,
  wallet: TestWallet,
  chain = HUB,
) => {
  const signed = await wallet.sign(await textFor(rig, token, wallet, chain))
  return step(rig, 'complete', token, { chain_id: chain, address: wallet.address, ...signed })
}
export const poll = (rig: AuthRig, { claim_token }: Registered): Promise<Answer> =>
  rig.postForm('/oauth2/token', {
    grant_type: 'urn:workos:agent-auth:grant-type:claim',
    claim_token,
  })
