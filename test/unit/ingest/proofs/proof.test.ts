// Tests the reads of the proofs of one height: verification, fail-over and time limits.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { AbciAnswer, SignedBlock } from '../../../../ingest/comet/endpoints/node.ts'
import { createProofReads, type ProofReader } from '../../../../ingest/proofs/proof.ts'
import { hurried } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { proposalAt } from '../../../support/simulator/state/chain-state.ts'

type Node = ProofReader['node']

/** Proposals 1 to 3 are in the state of height 1. */
const chain = createMemoryChain({ proves: true })
chain.add({}, ({ proposals }) => {
  for (const id of ['1', '2', '3']) proposals.set(id, proposalAt(id, 1, 2))
})
chain.add()
chain.add()
const block = chain.blocks()[2]!
const good: Node = { abciQuery: chain.abciQuery, lightBlock: chain.lightBlock! }

const outage = () => Promise.reject(new AppError('RPC_UNAVAILABLE', 'down', { retryable: true }))
const never = () => new Promise<never>(() => {})

const read = async (
  node: Node,
  { ids = ['1'], ...options }: Partial<ProofReader> & { ids?: string[] } = {},
) => {
  const reader: ProofReader = {
    node,
    clock: hurried,
    signal: new AbortController().signal,
    budgetMs: 200,
    untilReachable: async () => undefined,
    ...options,
  }
  const proofs = ids.map((proposalId) => ({ proposalId, round: 0 }))
  const found = await createProofReads(reader)({ block, dueProofs: { stateHeight: 1, proofs } })
  if (!found) throw new Error('nothing was due')
  return found
}

/** The responses in order, as from several endpoints; `blamed` has the reasons of refusals. */
const inTurn = (...answers: ((good: AbciAnswer) => AbciAnswer)[]) => {
  const blamed: (string | null)[] = []
  const node: Node = {
    lightBlock: good.lightBlock!,
    abciQuery: async (request, { avoid = [] } = {}) =>
      answers[avoid.length]!(await good.abciQuery(request)),
    refuse: (refused, reason) => {
      blamed.push(reason)
      return refused.length < answers.length
    },
  }
  return { node, blamed }
}

const asIs = (answer: AbciAnswer) => answer
const changed = (answer: AbciAnswer): AbciAnswer => {
  if (answer.kind !== 'value') return answer
  const value = Uint8Array.from(answer.value)
  value[value.length - 1]! ^= 1
  return { ...answer, value }
}
const withoutProof = (answer: AbciAnswer): AbciAnswer =>
  answer.kind === 'value' ? { kind: 'value', value: answer.value } : answer
const refused = (): AbciAnswer => ({ kind: 'refused', code: 6, codespace: 'sdk', log: 'no proofs' })

describe('the proofs of a height', () => {
  it('are read for each proposal in order, and a missing key is null with the reason', {
    tags: 'ingest:proofs-are-verified',
  }, async () => {
    const { proofs, lightBlock } = await read(good, { ids: ['3', '9', '1'] })
    expect(lightBlock).toHaveProperty('value.header.height', '2')
    expect(proofs.map(({ proposalId }) => proposalId)).toEqual(['3', '9', '1'])
    expect(proofs.map(({ found }) => 'value' in found)).toEqual([true, false, true])
    expect(proofs[1]?.found).toEqual({ unavailable: 'the store gov has no such key at height 1' })
  })

  it('come from another endpoint if the first one changes the value, and the first one is blamed', {
    tags: 'ingest:proofs-are-verified',
  }, async () => {
    const { node, blamed } = inTurn(changed, asIs)
    const { proofs } = await read(node)
    expect(proofs[0]?.found).toHaveProperty('value')
    expect(blamed).toEqual([expect.stringContaining('proves another value')])
  })

  it('are null with the reason if every endpoint changes the value', {
    tags: 'ingest:proofs-are-verified',
  }, async () => {
    const { node, blamed } = inTurn(changed, changed)
    const { proofs } = await read(node)
    expect(proofs[0]?.found).toEqual({
      unavailable: expect.stringContaining('proves another value'),
    })
    expect(blamed).toHaveLength(2)
  })

  it('come from another endpoint if the first one has none, and no endpoint is blamed', async () => {
    const { node, blamed } = inTurn(withoutProof, refused, asIs)
    expect((await read(node)).proofs[0]?.found).toHaveProperty('value')
    expect(blamed).toEqual([null, null])
  })

  it('are not valid for another app hash than the one in the next header', {
    tags: 'ingest:proofs-are-verified',
  }, async () => {
    const lightBlock = async (height: number, hash: string): Promise<SignedBlock> => ({
      ...(await good.lightBlock!(height, hash)),
      appHash: 'AB'.repeat(32),
    })
    const { proofs } = await read({ ...good, lightBlock })
    expect(proofs[0]?.found).toEqual({
      unavailable: 'The proof leads to another app hash than the header has.',
    })
  })
})

describe('the time limit of proofs', () => {
  it('allows two attempts if the node hangs, and keeps everything read before', async () => {
    let queries = 0
    const node: Node = {
      ...good,
      abciQuery: (request) => (++queries === 1 ? good.abciQuery(request) : never()),
    }
    const { proofs } = await read(node, { ids: ['1', '2'] })
    expect(proofs[0]?.found).toHaveProperty('value')
    expect(proofs[1]?.found).toEqual({
      unavailable: 'no endpoint returned it in time: none answered',
    })
  })

  it('excludes an outage of all endpoints: the second attempt waits for its end', async () => {
    let isDown = true
    const node: Node = {
      ...good,
      abciQuery: (request) => (isDown ? outage() : good.abciQuery(request)),
    }
    const { proofs } = await read(node, {
      untilReachable: async () => {
        isDown = false
      },
    })
    expect(proofs[0]?.found).toHaveProperty('value')
  })

  it('is short after a height whose proofs no endpoint returned in time, for ten minutes or until one does', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let nowMs = 1_000_000
    let isHanging = true
    const reads = createProofReads({
      node: {
        ...good,
        abciQuery: (request) => (isHanging ? never() : good.abciQuery(request)),
      },
      clock: { ...hurried, now: () => nowMs },
      signal: new AbortController().signal,
      budgetMs: 1_000,
      budgetAfterHangMs: 20,
      untilReachable: async () => undefined,
    })
    const readHeight = async () => {
      const proofs = [{ proposalId: '1', round: 0 }]
      let isRead = false
      void reads({ block, dueProofs: { stateHeight: 1, proofs } }).then(() => {
        isRead = true
      })
      let tookMs = 0
      for (; !isRead && tookMs < 5_000; tookMs += 10) await vi.advanceTimersByTimeAsync(10)
      return tookMs
    }
    expect(await readHeight()).toBeGreaterThanOrEqual(2_000)
    expect(await readHeight()).toBeLessThan(100)
    nowMs += 600_000
    expect(await readHeight()).toBeGreaterThanOrEqual(2_000)
    isHanging = false
    await readHeight()
    isHanging = true
    expect(await readHeight()).toBeGreaterThanOrEqual(2_000)
  })

  it('leaves calls for blocks: at most eight proofs of all heights are read at the same time', async () => {
    const stopping = new AbortController()
    let underWay = 0
    const abciQuery = () => {
      underWay++
      return never()
    }
    const reads = createProofReads({
      node: { ...good, abciQuery },
      clock: hurried,
      signal: stopping.signal,
      untilReachable: async () => undefined,
    })
    const proofs = [{ proposalId: '1', round: 0 }]
    const nine = Array.from({ length: 9 }, () =>
      reads({ block, dueProofs: { stateHeight: 1, proofs } }),
    )
    await expect.poll(() => underWay).toBe(8)
    await new Promise((resolve) => setImmediate(resolve))
    expect(underWay).toBe(8)
    stopping.abort()
    await Promise.allSettled(nine)
  })
})
