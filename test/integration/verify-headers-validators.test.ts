// Tests that headers are verified with the changing validators of the chain, also after a restart.
import { describe, expect, it, onTestFinished } from 'vitest'
import { startCrossed } from '../support/chain/crossed-nodes.ts'
import { createGovStory } from '../support/chain/gov-story.ts'
import { createTurns, type Lie, signedByLiars, signedNode } from '../support/chain/signed-nodes.ts'
import { waitUntil } from '../support/chain/source-rig.ts'
import {
  createVotes,
  expectWhole,
  followToTip,
  SIGNED_TIP,
  startVerifiedRig,
  votesAt,
} from '../support/chain/verified-rig.ts'
import { createBlockChain } from '../support/simulator/block-chain.ts'
import type { ServedChain } from '../support/simulator/rpc/served-chain.ts'
import type { Member } from '../support/simulator/signatures.ts'
import { createSignedChain, type Signed } from '../support/simulator/signed-chain.ts'

const CHAIN = createVotes()
const FALSE_AT = 6
const ANY_HASH = 'CD'.repeat(32)

const many = (height: number): Member[] =>
  Array.from({ length: 130 }, (_, index) => ({ name: `v${index}`, power: 1_000 - index + height }))

describe('the validators of a chain whose headers are verified', () => {
  it('can change with every block', async () => {
    const chain = createVotes((height) => [
      { name: 'a', power: 40 + height },
      { name: `b${Math.floor(height / 3)}`, power: 40 },
      { name: 'c', power: 35 },
    ])
    const rig = await followToTip(chain, [signedNode(chain)])
    expect(rig.refusals(0)).toEqual([])
  })

  it('are read once for all blocks with the same set', async () => {
    const rig = await followToTip(CHAIN, [signedNode(CHAIN)])
    const reads = rig.nodes[0]?.requests.filter(({ method }) => method === 'validators')
    expect(reads).toHaveLength(1)
  })

  it('can need more than one page', async () => {
    const chain = createSignedChain(createBlockChain({ blocks: [votesAt(1), votesAt(2)] }), {
      membersAt: (height) => many(height > 1 ? 1 : 0),
    })
    const rig = await startVerifiedRig(chain, [signedNode(chain)])
    void rig.follow()
    await rig.reached(2)
    const reads = rig.nodes[0]?.requests.filter(({ method }) => method === 'validators')
    expect(reads).toHaveLength(4)
    expect(rig.refusals(0)).toEqual([])
  })
})

describe('a log whose headers are verified from its last block on', () => {
  const LAST = 5
  const RESUMED = { from: LAST + 1, previousHash: CHAIN.block(LAST).hash }
  const afterLast = (height: number) => height > LAST

  it('continues only with blocks of the validators that its last block names', async () => {
    const lying = signedNode(CHAIN, signedByLiars, (height) => height === FALSE_AT)
    const rig = await followToTip(CHAIN, [lying, signedNode(CHAIN)], RESUMED)
    expect(rig.refusals(0)).toEqual([expect.stringMatching(/block 6 is signed by the validators/)])
  })

  it('does not continue from an endpoint that alters the header of its last block', async () => {
    const altered: Lie = ({ header }) => {
      header.next_validators_hash = ANY_HASH
    }
    const lying = signedNode(CHAIN, altered, (height) => !afterLast(height))
    const rig = await followToTip(CHAIN, [lying, signedNode(CHAIN)], RESUMED)
    expect(rig.refusals(0)).toEqual([expect.stringMatching(/block 5 could not be verified/)])
  })

  it('does not continue if all endpoints have another block in place of its last one', async () => {
    const rig = await startVerifiedRig(CHAIN, [signedNode(CHAIN)])
    void rig.follow({ from: LAST + 1, previousHash: ANY_HASH })
    const reasons = () => rig.health.readiness().reasons.join()
    const other = `header: block 5 is ${CHAIN.block(LAST).hash}, not ${ANY_HASH}`
    await waitUntil(() => reasons().includes(other), 'it is said')
    expect(reasons()).toContain('height 5 cannot be read')
    expect(rig.delivered).toEqual([])
  })

  it('continues with a warning if no endpoint has its last block any more', async () => {
    const rig = await startVerifiedRig(CHAIN, [signedNode(CHAIN)])
    rig.nodes[0]?.fault('pruned heights', { height: LAST + 1 })
    void rig.follow(RESUMED)
    await rig.reached(SIGNED_TIP)
    expectWhole(rig, LAST + 1)
    const warnings = rig.lines.filter(
      ({ msg }) => msg === 'trusts the validators of the next block without a check',
    )
    expect(warnings).toEqual([expect.objectContaining({ height: LAST })])
  })
})

describe('ingest with VERIFY_HEADERS', () => {
  const VOTES_AT = 4
  const dropsVote: Lie = ({ txs, results }) => {
    txs.pop()
    results.pop()
  }
  const start = async (
    nodes: readonly ('honest' | 'lying')[],
    env: Record<string, string> = {},
  ) => {
    let signed: Signed<ServedChain> | undefined
    const inTurn = createTurns()
    const run = await startCrossed(
      createGovStory(),
      nodes.map(() => ({})),
      {
        // On a busy machine, no node may be refused for being slow.
        env: { RPC_TIMEOUT_SECONDS: '30', ...env },
        serve: (chain, order) => {
          signed ??= createSignedChain(chain)
          const lie = nodes[order] === 'lying' ? dropsVote : undefined
          return inTurn(
            signedNode(signed, lie, (height) => height === VOTES_AT),
            order,
          )
        },
      },
    )
    onTestFinished(run.stop)
    return run
  }

  it('writes the log of an honest endpoint if the first one omits a vote', async () => {
    const honest = await start(['honest'])
    const { tip } = createGovStory()
    await honest.reached(tip)
    const run = await start(['lying', 'honest'], { VERIFY_HEADERS: 'true' })
    await run.reached(tip)
    expect(await run.events()).toEqual(await honest.events())
    expect(run.lines.filter(({ msg }) => msg === 'endpoint failed')).toEqual([
      expect.objectContaining({
        endpoint: run.names[0],
        reason: expect.stringContaining('Its transactions do not have the hash'),
      }),
    ])
  })
})
