// Tests an endpoint that never answers a proof query, over HTTP with the real time limits.
import { afterEach, expect, it } from 'vitest'
import { type CrossedNode, startCrossed } from '../support/chain/crossed-nodes.ts'
import { ofType } from '../support/chain/ingest-run.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { submitTx } from '../support/simulator/gov-events.ts'
import { proposalAt } from '../support/simulator/state/chain-state.ts'

let stop = async () => {}
afterEach(() => stop())

/** Counts the proof queries, none of which is answered. */
const hangAtProofs = () => {
  let count = 0
  const strike: CrossedNode['strike'] = ({ path }) => {
    if (path !== '/store/gov/key') return undefined
    count++
    return 'hang'
  }
  return { strike, count: () => count }
}

it('ingest delays a height by at most two attempts if the only endpoint never answers a proof query', async () => {
  const chain = createMemoryChain({ proves: true })
  chain.add({ txs: [submitTx('1')] }, ({ proposals }) => {
    proposals.set('1', proposalAt('1', 1, 2))
  })
  for (let more = 0; more < 3; more++) chain.add()
  const { strike, count } = hangAtProofs()
  const run = await startCrossed(chain, [{ strike }])
  stop = run.stop
  await run.reached(chain.tip)
  const [proof] = ofType(await run.events(), 'rollcall.proposal.proof.v1')
  expect(proof?.data.value).toBeNull()
  expect(proof?.data.reason).toBe('no endpoint returned it in time: no answer within 2000 ms')
  // Three queries of 2 s fit into each of two attempts.
  expect(count()).toBeLessThanOrEqual(6)
})

it('ingest is delayed by the first proof query that hangs, and only briefly by later ones', async () => {
  const chain = createMemoryChain({ proves: true })
  // Further apart than ingest reads ahead.
  for (const id of ['1', '2', '3']) {
    chain.add({ txs: [submitTx(id)] }, ({ proposals }) => {
      proposals.set(id, proposalAt(id, chain.tip, 2))
    })
    for (let more = 0; more < 70; more++) chain.add()
  }
  const { strike, count } = hangAtProofs()
  const run = await startCrossed(chain, [{ strike }])
  stop = run.stop
  await run.reached(chain.tip)
  const proofs = ofType(await run.events(), 'rollcall.proposal.proof.v1')
  expect(proofs.map(({ data }) => data.value)).toEqual([null, null, null])
  // Without the limit after a hang: six for each of three heights.
  expect(count()).toBeLessThanOrEqual(6 + 2 + 2)
})
