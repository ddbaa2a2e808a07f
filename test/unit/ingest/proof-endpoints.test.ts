// Tests ingest over HTTP with several endpoints, one of which changes a proof: the log, and the endpoint that is named.
import { afterEach, expect, it } from 'vitest'
import { type CrossedNode, startCrossed } from '../../support/chain/crossed-nodes.ts'
import { ofType } from '../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { readState } from '../../support/chain/shown-chain.ts'
import { submitTx } from '../../support/simulator/gov-events.ts'
import { proposalAt } from '../../support/simulator/state/chain-state.ts'

const chain = createMemoryChain({ proves: true })
chain.add()
chain.add({ txs: [submitTx('1')] }, ({ proposals }) => {
  proposals.set('1', proposalAt('1', 2, 2))
})
chain.add()
chain.add()

let stop = async () => {}
afterEach(() => stop())

const isProofQuery = (path: string) => path === '/store/gov/key'

const ingested = async (nodes: readonly CrossedNode[], env: Record<string, string> = {}) => {
  const run = await startCrossed(chain, nodes, { env })
  stop = run.stop
  await run.reached(chain.tip)
  const [proof] = ofType(await run.events(), 'rollcall.proposal.proof.v1')
  const named = run.lines.filter(({ msg }) => msg === 'endpoint failed')
  return { proof, named, names: run.names, metrics: await run.metricsText() }
}

it('keeps the proof of another endpoint if one changes the value of the proposal, and names that one', async () => {
  const liar: CrossedNode = {
    abci: async (request) => {
      const answer = await readState(chain, request)
      if (!isProofQuery(request.path) || !('value' in answer)) return answer
      const value = Uint8Array.from(answer.value)
      value[1]! ^= 2
      return { ...answer, value }
    },
  }
  // The liar is faster than the other endpoint on a busy machine too, so that it is asked first.
  const { proof, named, names, metrics } = await ingested([liar, { delayMs: () => 400 }])
  expect(proof?.data).toMatchObject({ proposalId: '1', round: 0, stateHeight: 2, reason: null })
  expect(named).toEqual([
    expect.objectContaining({
      endpoint: names[0],
      reason: expect.stringContaining('proves another value'),
    }),
  ])
  expect(metrics).toContain('proofs_total{outcome="kept"} 1')
})

it('writes null with the reason, and blames no endpoint, if the endpoints have no proofs', async () => {
  const bare: CrossedNode = {
    abci: async (request) => {
      const answer = await readState(chain, request)
      return 'value' in answer ? { value: answer.value } : answer
    },
  }
  const { proof, named, metrics } = await ingested([bare, bare])
  expect(proof?.data).toMatchObject({ value: null, reason: 'the node does not return proofs' })
  expect(named).toEqual([])
  expect(metrics).toContain('proofs_total{outcome="missing"} 1')
})
