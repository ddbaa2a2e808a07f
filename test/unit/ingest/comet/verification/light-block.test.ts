// Tests light blocks and proofs from nodes: an endpoint that changes one is named, and another one is used.
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { findUnverifiable } from '../../../../../ingest/comet/verification/light-block.ts'
import { createMemoryChain } from '../../../../support/chain/memory-chain.ts'
import { showChain } from '../../../../support/chain/shown-chain.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import { alterChain } from '../../../../support/simulator/block-chain.ts'
import { startNode } from '../../../../support/simulator/nodes/node.ts'
import type { ServedChain } from '../../../../support/simulator/rpc/served-chain.ts'
import type { LightBlockJson } from '../../../../support/simulator/signed-chain.ts'

const MANY = Array.from({ length: 130 }, (_, n) => ({ name: `validator ${n}`, power: 500 - n }))
const few = createMemoryChain({ proves: true })
const many = createMemoryChain({ proves: () => MANY })
for (const chain of [few, many]) for (let height = 0; height < 3; height++) chain.add()

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

type Forgery = (json: LightBlockJson) => LightBlockJson | undefined

/** One node per chain, in the order of use. */
const setup = async (forgeries: readonly Forgery[], whole = few) => {
  const chain = showChain(whole)
  const forged = (forgery: Forgery): ServedChain =>
    alterChain(chain, { signed: (height) => forgery(whole.simulated.signed!(height)) })
  const nodes = await Promise.all(
    forgeries.map((forgery, order) =>
      startNode({ chain: forged(forgery), delayMs: () => order * 15 }),
    ),
  )
  const { logger, lines } = recordingLogger()
  const node = await createChainNode({
    urls: nodes.map(({ url }) => url),
    chainId: whole.chainId,
    settings: { proofTimeoutMs: 1_000, retryBudgetMs: 1_000, coolDownMs: 10 },
    logger,
    metrics: createMetrics('ingest'),
  })
  cleanups.push(async () => {
    await node.close()
    for (const each of nodes) await each.close()
  })
  // Lets the pool measure which endpoint is the fastest.
  await node.status()
  const read = (height: number) => node.lightBlock!(height, whole.blocks()[height - 1]!.hash)
  const blamed = () =>
    lines.flatMap(({ level, msg, ...line }) =>
      level === 'warn' && msg === 'endpoint failed'
        ? [{ endpoint: Reflect.get(line, 'endpoint'), reason: Reflect.get(line, 'reason') }]
        : [],
    )
  return { nodes, read, blamed, hosts: nodes.map(({ url }) => new URL(url).host) }
}

const asIs: Forgery = (json) => json
const isTarget = (json: LightBlockJson) => json.header.height === '2'
const changed =
  (change: (json: LightBlockJson) => void): Forgery =>
  (json) => {
    if (!isTarget(json)) return json
    const copy = structuredClone(json)
    change(copy)
    return copy
  }

describe('a light block', () => {
  it('is the header with the requested hash, with its commit and all pages of its validators', async () => {
    const { read, nodes } = await setup([asIs], many)
    const { header, commit, validators, validatorsHash } = await read(2)
    expect(header).toMatchObject({ height: '2', validators_hash: validatorsHash })
    expect(commit).toHaveProperty('signatures.length', 130)
    expect(validators.map(({ voting_power: power }) => power)).toEqual(
      MANY.map(({ power }) => `${power}`),
    )
    expect(nodes[0]?.requests.filter(({ method }) => method === 'validators')).toHaveLength(2)
  })

  it.each([
    [
      'the header',
      'has the hash',
      changed(({ header }) => {
        header.app_hash = 'CD'.repeat(32)
      }),
    ],
    [
      'a signature of the commit',
      'is not the signature',
      changed(({ commit }) => {
        const [one, other] = commit.signatures
        if (one && other) one.signature = other.signature
      }),
    ],
    [
      'the power of a validator',
      'do not have the hash',
      changed(({ validators }) => {
        validators[0]!.voting_power = '41'
      }),
    ],
  ] as const)(
    'comes from another endpoint if the first one changes %s, and the first one is named',
    async (_, reason, forgery) => {
      const { read, blamed, hosts } = await setup([forgery, asIs])
      expect((await read(2)).header).toMatchObject({ height: '2' })
      expect(blamed()).toEqual([
        {
          endpoint: hosts[0],
          reason: expect.stringContaining(reason),
        },
      ])
    },
  )

  it('comes from another endpoint if the first one has a light block of another chain', async () => {
    const other = createMemoryChain({ proves: () => [{ name: 'eve', power: 1 }] })
    for (let height = 0; height < 3; height++) other.add()
    const { read, blamed, hosts } = await setup([
      (json) => (isTarget(json) ? other.simulated.signed?.(2) : json),
      asIs,
    ])
    expect((await read(2)).validators).toHaveLength(4)
    expect(blamed().map(({ endpoint }) => endpoint)).toEqual([hosts[0]])
    expect(blamed()[0]?.reason).toMatch(/header of height 2 has the hash .*, not /)
  })

  it('is not taken from the latest height, because its commit can still change', async () => {
    const { read, blamed } = await setup([asIs])
    await expect(read(3)).rejects.toMatchObject({ retryable: true })
    expect(blamed()).toEqual([])
  })

  it('is missing without blame if the node serves no light blocks', async () => {
    const { read, blamed } = await setup([() => undefined])
    await expect(read(2)).rejects.toMatchObject({
      code: 'HEIGHT_UNAVAILABLE',
      message: expect.stringContaining('there is no light block of height 2: no commit'),
    })
    expect(blamed()).toEqual([])
  })

  it('is missing without blame if a validator has another key type', async () => {
    const { read, blamed } = await setup([
      changed(({ validators }) => {
        validators[0]!.pub_key.type = 'tendermint/PubKeyBls12_381'
      }),
    ])
    await expect(read(2)).rejects.toThrow('has a key of the type tendermint/PubKeyBls12_381')
    expect(blamed()).toEqual([])
  })

  const explain = async (reading: Promise<unknown>) => {
    const error: unknown = await reading.catch((caught: unknown) => caught)
    return error instanceof AppError ? findUnverifiable(error) : undefined
  }
  const withKeys = (type: string) =>
    changed(({ validators }) => {
      validators[0]!.pub_key.type = type
    })
  const withMember = changed(({ header }) => {
    Object.assign(header, { implicit_hash: 'AB'.repeat(32) })
  })
  const withProtocol = changed(({ header }) => {
    header.version.block = '10'
  })

  it.each<[string, RegExp, Forgery]>([
    ['keys of another type', /PubKeyBls12_381/, withKeys('tendermint/PubKeyBls12_381')],
    ['another member of the header', /has the hash/, withMember],
    ['another version of the header', /block protocol 11/, withProtocol],
  ])('cannot be verified if all endpoints have %s', async (_, reason, forgery) => {
    const { read } = await setup([forgery, forgery])
    expect(await explain(read(2))).toMatch(reason)
  })

  it('may be verified later if one endpoint has no light block, or none responds', async () => {
    const { read, nodes } = await setup([withMember, () => undefined])
    expect(await explain(read(2))).toBeUndefined()
    for (const node of nodes) node.fault('HTTP 500')
    expect(await explain(read(2))).toBeUndefined()
  })

  it('comes from another endpoint if the first one does not respond', async () => {
    const { read, nodes } = await setup([asIs, asIs])
    nodes[0]?.fault('hang', { height: 2 })
    expect((await read(2)).header).toMatchObject({ height: '2' })
  })
})

describe('an endpoint that answers everything except proofs', () => {
  it('is asked last for proofs until it answers one, and stays the first for other state', async () => {
    const chain = showChain(few)
    const hanging = { proofs: true }
    const isProof = (path: string) => path === '/store/gov/key'
    const abci = async () => ({ value: Uint8Array.of(1) })
    const nodes = await Promise.all([
      startNode({
        chain,
        abci,
        strike: ({ path }) => (hanging.proofs && isProof(path) ? 'hang' : undefined),
      }),
      startNode({ chain, abci, delayMs: () => 100 }),
    ])
    const node = await createChainNode({
      urls: nodes.map(({ url }) => url),
      chainId: few.chainId,
      settings: { proofTimeoutMs: 300, coolDownMs: 1 },
      logger: recordingLogger().logger,
      metrics: createMetrics('ingest'),
    })
    cleanups.push(async () => {
      await node.close()
      for (const each of nodes) await each.close()
    })
    await node.status()
    const asked = () =>
      nodes.map(({ requests }) => requests.filter(({ path }) => path !== '').length)
    const query = { data: Uint8Array.of(0), height: 2 }
    const readProof = () => node.abciQuery({ ...query, path: '/store/gov/key', prove: true })
    await readProof()
    expect(asked()).toEqual([1, 1])
    await node.abciQuery({ ...query, path: '/cosmos.staking.v1beta1.Query/Pool' })
    const others = asked()
    for (let more = 0; more < 3; more++) await readProof()
    expect(asked()).toEqual([others[0], (others[1] ?? 0) + 3])
  })
})
