// Tests what a visitor and an operator see of a chain without x/gov: health, pages and doctor, with a real ClickHouse.
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkApi, checkEndpoints } from '../../infra/app/doctor/areas.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { ingestToTip } from '../support/chain/ingest-run.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { showChain } from '../support/chain/shown-chain.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'
import { alterChain } from '../support/simulator/block-chain.ts'
import { timeAt } from '../support/simulator/blocks.ts'
import { startNode } from '../support/simulator/nodes/node.ts'
import type { LightBlockJson } from '../support/simulator/signed-chain.ts'
import type { ChainState } from '../support/simulator/state/chain-state.ts'
import { useTestStore } from '../support/store/test-store.ts'

const HEIGHTS = 3

const chainWith = (change: Partial<ChainState>) => {
  const chain = createMemoryChain()
  for (let height = 1; height <= HEIGHTS; height++) {
    chain.add({}, (state) => void Object.assign(state, change))
  }
  return chain
}

const testStore = useTestStore(async (store) => {
  const log = openMemoryLog()
  await ingestToTip(chainWith({ govPackage: null }), log)
  await projectAll(log, store)
})

/** The API at the time of the last block. */
const setup = () =>
  createApiRig(testStore.store, {}, createFakeClock({ startMs: Date.parse(timeAt(HEIGHTS)) }))

const never = new AbortController().signal
const MESSAGE = 'This chain has no x/gov: it has no proposals that Rollcall can read.'

describe('a chain without x/gov', () => {
  it('is named in the health of the service, which is ok', async () => {
    const { ask } = await setup()
    expect((await ask('/api/health')).json()).toMatchObject({
      status: 'ok',
      limitations: [{ kind: 'no_gov', since: 1, message: MESSAGE, reason: expect.any(String) }],
    })
  })

  it.each([
    ['/', 'text/html'],
    ['/', 'text/markdown'],
    ['/proposals', 'text/html'],
    ['/status', 'text/html'],
    ['/status', 'text/markdown'],
  ])('is named on the page %s as %s', async (path, accept) => {
    const { ask } = await createApiRig(testStore.store)
    const { status, text } = await ask(path, { headers: { accept } })
    expect(status).toBe(200)
    expect(text).toContain(MESSAGE)
  })
})

const examine = async (change: Partial<ChainState>) => {
  const whole = chainWith(change)
  const node = await startNode({
    chain: showChain(whole),
  })
  onTestFinished(() => node.close())
  const options = { chainId: whole.chainId, indexed: undefined, signal: never }
  const findings = await checkEndpoints({ ...options, urls: [node.url] })
  return findings.filter(({ message }) => message.includes(MESSAGE))
}

describe('the doctor', () => {
  it.each<[string, Partial<ChainState>]>([
    ['without reflection', { govPackage: null }],
    ['with the list of its messages', { govPackage: null, reflection: 'types' }],
    ['with its protobuf files', { govPackage: null, reflection: 'files' }],
  ])('reports a chain without x/gov as a problem: %s', async (_, change) => {
    expect(await examine(change)).toMatchObject([
      { level: 'problem', message: expect.stringContaining(MESSAGE), remedy: expect.any(String) },
    ])
  })

  it.each<[string, Partial<ChainState>]>([
    ['x/gov', {}],
    ['x/gov in the package of a fork', { govPackage: 'other.gov', reflection: 'types' }],
    ['an unknown fork of x/gov', { govPackage: null, reflection: 'types', unusedTypes: ['x.gov'] }],
  ])('reports nothing of a chain with %s', async (_, change) => {
    expect(await examine(change)).toEqual([])
  })
})

const examineHeaders = async (change: (json: LightBlockJson) => void) => {
  const whole = createMemoryChain({ proves: true })
  for (let height = 1; height <= 3; height++) whole.add()
  const chain = showChain(whole)
  const signed = (height: number) => {
    const json = structuredClone(whole.simulated.signed!(height))
    change(json)
    return json
  }
  const node = await startNode({ chain: alterChain(chain, { signed }) })
  onTestFinished(() => node.close())
  const options = { chainId: whole.chainId, indexed: undefined, signal: never }
  const findings = await checkEndpoints({ ...options, urls: [node.url] })
  return findings.filter(({ area, level }) => area === 'headers' && level !== 'ok')
}

describe('the doctor at headers', () => {
  it.each<[string, RegExp, (json: LightBlockJson) => void]>([
    [
      'keys of another type',
      /PubKeyBls12_381/,
      ({ validators }) => {
        validators[0]!.pub_key.type = 'cometbft/PubKeyBls12_381'
      },
    ],
    [
      'a member that is not known',
      /has the hash/,
      ({ header }) => void Object.assign(header, { implicit_hash: 'AB'.repeat(32) }),
    ],
  ])('warns of %s', async (_, reason, change) => {
    expect(await examineHeaders(change)).toMatchObject([
      { level: 'warning', message: expect.stringMatching(reason) },
    ])
  })

  it('reports nothing of headers that can be verified', async () => {
    expect(await examineHeaders(() => {})).toEqual([])
  })
})

describe('the doctor at the API', () => {
  it('names the limitations in its health', async () => {
    const { app } = await setup()
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    expect(await checkApi(url, never)).toMatchObject([
      { level: 'ok' },
      { level: 'warning', message: expect.stringContaining(MESSAGE) },
    ])
  })
})
