// Tests auth on Kafka: without a broker, with only read access, and with two processes of which one is killed.
import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import {
  type AuthRig,
  type AuthRigOptions,
  BASE_URL,
  createAuthBackend,
  createAuthRig,
  expectRefusal,
  registerAnonymously,
} from '../support/auth/auth-rig.ts'
import { complete, HUB, start } from '../support/auth/claim-steps.ts'
import { createTestWallet } from '../support/auth/test-wallet.ts'
import { openAgentsTopic, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import {
  createRunFolder,
  type RollcallProcess,
  until,
} from '../support/process/rollcall-process.ts'

const rigs: AuthRig[] = []
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close()
})

/** Instances with the same keys, each with its own connection to one log on the broker. */
const setup = async (count: number) => {
  const backend = await createAuthBackend()
  onTestFinished(backend.remove)
  const chainId = ownChainId()
  const open = async (options: { readOnly?: boolean } = {}) => {
    const { log } = openAgentsTopic(inject('kafkaBrokers'), chainId, options)
    const rigOptions: AuthRigOptions = { backend, log }
    const rig = await createAuthRig(rigOptions)
    rigs.push(rig)
    return rig
  }
  const instances: AuthRig[] = []
  for (let at = 0; at < count; at++) instances.push(await open())
  return { instances: instances as [AuthRig, AuthRig], open }
}

describe('instances on one log on Kafka', () => {
  it('start without a reachable broker: they register agents, but accept and reject no bearer token', async () => {
    const backend = await createAuthBackend()
    onTestFinished(backend.remove)
    const { log } = openAgentsTopic('127.0.0.1:1', ownChainId())
    const rig = await createAuthRig({ backend, log })
    rigs.push(rig)
    const agent = await registerAnonymously(rig)
    expect(await rig.bearer(agent.access_token)).toMatchObject({ ok: false, isUnavailable: true })
    expect(rig.auth.ready().ready).toBe(false)
    const { claim_token } = agent
    const answer = await rig.postJson('/agent/identity/claim', { claim_token })
    expectRefusal(answer, 503, 'temporarily_unavailable')
  })

  it('with only read access create no claim and report it', async () => {
    const { instances, open } = await setup(1)
    const agent = await registerAnonymously(instances[0])
    const reader = await open({ readOnly: true })
    const { claim_token } = agent
    const answer = await reader.postJson('/agent/identity/claim', { claim_token })
    expectRefusal(answer, 503, 'temporarily_unavailable')
    const { token } = await start(instances[0], agent)
    const done = await complete(instances[0], token, await createTestWallet(40))
    expect(done.status).toBe(200)
  })
})

const waitForUrl = (run: RollcallProcess) =>
  until('it listens', 30_000, () => {
    return /"url":"(http:[^"]+)","msg":"started auth"/.exec(run.stdout())?.[1]
  })

const post = async (url: string, body: object | URLSearchParams) => {
  const isForm = body instanceof URLSearchParams
  const headers: Record<string, string> = isForm ? {} : { 'content-type': 'application/json' }
  const payload = isForm ? body : JSON.stringify(body)
  const response = await fetch(url, { method: 'POST', headers, body: payload })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

describe('rollcall auth on Kafka', () => {
  it('runs twice: after a kill of one process, the other has its facts', async () => {
    const folder = await createRunFolder()
    onTestFinished(folder.clean)
    const env = {
      KAFKA_BROKERS: inject('kafkaBrokers'),
      CHAIN_ID: ownChainId(),
      BASE_URL,
      WALLET_CHAINS: `${HUB}:cosmos:secp256k1`,
    }
    const runs = [folder.run({ args: ['auth'], env })]
    const urls = [await waitForUrl(runs[0]!)]
    runs.push(folder.run({ args: ['auth'], env }))
    urls.push(await waitForUrl(runs[1]!))
    const { json: agent } = await post(`${urls[0]}/agent/identity`, { type: 'anonymous' })
    const { json: started } = await post(`${urls[0]}/agent/identity/claim`, {
      claim_token: agent['claim_token'],
    })
    const { verification_uri: uri } = started['claim_attempt'] as { verification_uri: string }
    const token = new URLSearchParams(new URL(uri).hash.slice(1)).get('claim_attempt_token')
    const wallet = await createTestWallet(50)
    const signer = { claim_attempt_token: token, chain_id: HUB, address: wallet.address }
    const { json: shown } = await post(`${urls[0]}/delegation/text`, signer)
    const proof = await wallet.sign(shown['text'] as string)
    expect((await post(`${urls[0]}/delegation/complete`, { ...signer, ...proof })).status).toBe(200)
    runs[0]!.signal('SIGKILL')
    await runs[0]!.ended
    const grant = new URLSearchParams({
      grant_type: 'urn:workos:agent-auth:grant-type:claim',
      claim_token: agent['claim_token'] as string,
    })
    const { status } = await post(`${urls[1]}/oauth2/token`, grant)
    expect(status).toBe(200)
    runs[1]!.signal('SIGTERM')
    expect((await runs[1]!.ended).code).toBe(0)
  })
})
