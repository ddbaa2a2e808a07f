// Plays the scenario on a real chain that the product follows: every proposal has its planned end, and the product agrees with the node.
import { fromBech32 } from '@cosmjs/encoding'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import { createBlockSource } from '../../ingest/source/block-source.ts'
import { describeNode } from '../contracts/node.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import { readList, until } from '../support/process/rollcall-process.ts'
import { type ChainEvent, findAttribute } from './chain-facts.ts'
import { compareTallies } from './comparison.ts'
import { type Followed, followChain, startProduct } from './followed-chain.ts'
import { type ProposalAnswer, readVotes } from './product-api.ts'
import { verifyAtNode } from './proof-source.ts'
import { VOTERS as PLANNED_VOTERS } from './scenario/crowds.ts'
import { PLOT, type ProposalKey, playScenario } from './scenario/plot.ts'
import { textOf } from './scenario/proposal-texts.ts'
import { SCENARIO_CHAIN } from './scenario/scenario-chain.ts'

/** By default few enough for a small machine whose other suites run meanwhile. */
const VOTERS = Number(process.env['DEVNET_VOTERS'] ?? PLANNED_VOTERS)
const RECOMPUTE_TIMEOUT_MS = 480_000
const LIVE_BLOCKS = 5
const NAMES = Object.keys(PLOT) as ProposalKey[]

describe('the scenario on a real chain', () => {
  let run: Followed
  const closers: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const story = {
      spec: SCENARIO_CHAIN,
      voters: VOTERS,
      play: async (scene: Followed['scene']) => {
        await playScenario(scene)
      },
      verified: [['constitution'], ['communityTax'], ['outage'], ['oracle', '--round', '1']],
    } as const
    run = await followChain(story, (close) => closers.push(close))
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  const listEvents = (type: string) => run.events.filter((event) => event.type === type)
  const listResults = (type: string) =>
    new Set(listEvents(type).map((event) => findAttribute(event, 'proposal_result')))

  it('ends each proposal as planned, with its texts', () => {
    const served = run.items.map(({ proposalId, status, title, summary, metadata }) => [
      proposalId,
      { status, title, summary, metadata },
    ])
    const planned = NAMES.map((name) => [
      String(run.scene.id(name)),
      { status: PLOT[name].ending, ...textOf(name) },
    ])
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(planned))
  })

  it('has every way in which a vote can end, and votes of every origin', () => {
    const ends = ['passed', 'rejected', 'failed'].map((end) => `proposal_${end}`)
    expect(listResults('active_proposal')).toEqual(
      new Set([...ends, 'expedited_proposal_rejected']),
    )
    expect(listResults('inactive_proposal')).toEqual(new Set(['proposal_dropped']))
    expect(listEvents('cancel_proposal')).toHaveLength(3)
    const votes = listEvents('proposal_vote')
    const voters = [...new Set(votes.map((event) => findAttribute(event, 'voter') ?? ''))]
    expect(voters.length).toBeGreaterThan(0.9 * VOTERS)
    // A contract's address is longer than a person's.
    expect(voters.some((voter) => fromBech32(voter).data.length === 32)).toBe(true)
    // Those of governance itself.
    expect(votes.filter(({ isInTx }) => !isInTx)).toHaveLength(2)
    const countNested = (event: ChainEvent) =>
      event.attributes.filter(({ key }) => key === 'authz_msg_index').length
    expect(new Set(votes.map(countNested))).toEqual(new Set([0, 1, 2]))
  })

  // Whether stake moves in one of them, too, depends on the machine.
  it('has votes in the very blocks that close votes', () => {
    const closing = new Set(listEvents('active_proposal').map(({ height }) => height))
    const votes = listEvents('proposal_vote').filter(({ isInTx }) => isInTx)
    expect(votes.some(({ height }) => closing.has(height))).toBe(true)
  })

  compareTallies(() => run)

  it.each([
    ['closes', false],
    ['votes', true],
  ])('is known to a product that began at the tip, with HISTORY=%s', async (HISTORY, timed) => {
    const { url: late } = await startProduct(run.devnet, (close) => closers.push(close), {
      HISTORY,
    })
    // The state of the chain has no others.
    const closed = run.items.filter(({ status }) => /^(?:passed|rejected|failed)$/.test(status))
    await until('every past vote is recomputed', RECOMPUTE_TIMEOUT_MS, async () => {
      const items = await readList<ProposalAnswer>(late, '/api/proposals')
      const isDone = items.every((item) => item.history === 'reconstructed')
      return (items.length === closed.length && isDone) || undefined
    })
    // Governance votes in no transaction, once even in the block that closes the vote.
    const is = { timed, without: run.scene.governance }
    for (const item of closed) {
      const live = await readVotes(run.url, item, is)
      expect(await readVotes(late, item, is), item.title).toEqual(live)
    }
  })

  it('has proposals whose proofs show what the node has', async () => {
    const { chain, state, proposals } = run.scene
    const { hash } = (await chain.rpc.call('block', { height: '1' })).block_id
    const trusted = { height: 1n, hash }
    for (const proposalId of proposals.values()) {
      const real = await state.proposal(proposalId, run.lastHeight)
      if (!real) continue
      const at = { proposalId, height: run.lastHeight, trusted }
      const { proposal } = await verifyAtNode(chain.rpc, at)
      expect(proposal).toMatchObject({ status: real.status, tally: real.finalTally })
    }
  })

  it('has headers that ingest verifies, also at the tip', {
    tags: 'ingest:headers-are-verified',
  }, async () => {
    const { logger, lines } = recordingLogger()
    const metrics = createMetrics('ingest')
    const urls = [run.devnet.rpcUrl]
    const node = await createChainNode({ urls, verifyHeaders: true, logger, metrics })
    const stopping = new AbortController()
    const source = createBlockSource({ node, pollMs: 50, logger, metrics })
    const { signal } = stopping
    const verified: number[] = []
    let txs = 0
    let live = 0
    for await (const { block, tip } of source.follow({ from: 1, previousHash: null, signal })) {
      expect(block.validatorsHash).toMatch(/^[0-9A-F]{64}$/)
      verified.push(block.height)
      txs += block.txs.length
      if (block.height > run.lastHeight && block.height === tip) live++
      if (live === LIVE_BLOCKS) break
    }
    stopping.abort()
    await node.close()
    expect(verified).toEqual(verified.map((_, index) => 1 + index))
    expect(txs).toBeGreaterThan(100)
    expect(lines.filter(({ msg }) => msg === 'endpoint failed')).toEqual([])
  })

  describeNode('a real node', async () => ({
    url: run.devnet.rpcUrl,
    chainId: SCENARIO_CHAIN.chainId,
    first: 1,
    isSigned: true,
    isLive: true,
    close: async () => {},
  }))
})
