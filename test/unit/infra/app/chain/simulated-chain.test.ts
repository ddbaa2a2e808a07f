// Tests of a chain that is played block by block: its states, pruned heights, links and proofs.
import { QueryVotesRequest, QueryVotesResponse } from 'cosmjs-types/cosmos/gov/v1/query'
import { expect, it } from 'vitest'
import { account } from '../../../../../infra/app/chain/addresses.ts'
import { endEvent, submitTx, voteTx } from '../../../../../infra/app/chain/gov-events.ts'
import {
  createSimulatedChain,
  type SimulatedChain,
} from '../../../../../infra/app/chain/simulated-chain.ts'
import { proposalAt } from '../../../../../infra/app/chain/state/chain-state.ts'
import { proposalKey } from '../../../../../infra/base/proof/proposal.ts'

const readVoters = (chain: SimulatedChain, height: number): string[] => {
  const data = QueryVotesRequest.encode(
    QueryVotesRequest.fromPartial({ proposalId: 1n, pagination: { limit: 100n } }),
  ).finish()
  const path = '/cosmos.gov.v1.Query/Votes'
  const { value } = chain.query({ path, data, height: BigInt(height), prove: false })
  const { votes } = QueryVotesResponse.decode(Buffer.from(value ?? '', 'base64'))
  return votes.map(({ voter }) => voter)
}

const playVote = (options: Parameters<typeof createSimulatedChain>[0] = {}): SimulatedChain => {
  const chain = createSimulatedChain(options)
  chain.add({ txs: [submitTx('1')] }, ({ proposals }) => proposals.set('1', proposalAt('1', 1, 2)))
  chain.add({ txs: [voteTx('1', 'alice'), { ...voteTx('1', 'bob'), code: 5 }] })
  chain.add({ end: [endEvent('1', 'proposal_passed')] })
  return chain
}

it('has the votes of successful transactions from their block to the end of the vote', () => {
  const chain = playVote()
  expect([1, 2, 3].map((height) => readVoters(chain, height))).toEqual([[], [account('alice')], []])
})

it('refuses the state of a pruned height and of a future one, and answers the tip for height 0', () => {
  const chain = playVote()
  chain.prunedBelow = 3
  const path = '/cosmos.gov.v1.Query/Params'
  const ask = (height: bigint) =>
    chain.query({ path, data: new Uint8Array(), height, prove: false })
  expect(ask(2n).log).toMatch(/failed to load state at height 2; version does not exist/)
  expect(ask(4n).log).toMatch(/height in the future/)
  expect(ask(0n)).toEqual(ask(3n))
})

it('links each block to the one before, with signatures and without', () => {
  for (const chain of [playVote({ firstHeight: 7 }), playVote({ firstHeight: 7, proves: true })]) {
    const blocks = [7, 8, 9].map((height) => chain.block(height))
    expect(blocks.map(({ previousHash }) => previousHash).slice(1)).toEqual(
      blocks.map(({ hash }) => hash).slice(0, 2),
    )
    expect(blocks[0]?.previousHash).toBe('')
  }
})

it('proves a proposal of the store only if it has proofs', () => {
  const ask = (chain: SimulatedChain) =>
    chain.query({ path: '/store/gov/key', data: proposalKey(1n), height: 2n, prove: true })
  const [proved, plain] = [ask(playVote({ proves: true })), ask(playVote())]
  expect(proved.proofOps?.ops.map(({ type }) => type)).toEqual(['ics23:iavl', 'ics23:simple'])
  expect(plain.proofOps).toBeNull()
  expect(plain.value).toBe(proved.value)
})
