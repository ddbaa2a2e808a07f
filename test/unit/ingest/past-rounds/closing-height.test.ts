// Tests which votes cannot be reconstructed, each with its reason.
import { expect, it } from 'vitest'
import { isKnown } from '../../../../ingest/chain/answer.ts'
import type { AbciRequest, ChainReader } from '../../../../ingest/comet/endpoints/node.ts'
import { reconstruct } from '../../../../ingest/past-rounds/reconstruct.ts'
import {
  addAll,
  begin,
  close,
  closedProposal,
  historyReads,
  withResult,
} from '../../../support/chain/history-run.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { voteTx } from '../../../support/simulator/gov-events.ts'

const ordinary = () =>
  addAll(createMemoryChain(), [
    [{}],
    [{}],
    begin('1', { from: 3, until: 6 }),
    [{ txs: [voteTx('1', 'alice')] }],
    [{}],
    close('1', { yes: '75' }),
    [{}],
  ])

const readReason = async (chain: MemoryChain, node: ChainReader = chain) => {
  const nodes = [{ name: 'archive', node }]
  const target = await closedProposal(chain, '1')
  const answer = await reconstruct(target, historyReads(chain, { nodes }))
  return isKnown(answer) ? null : answer.unavailable
}

const prunedAt = (chain: MemoryChain, height: number): ChainReader => ({
  ...chain,
  abciQuery: async (request: AbciRequest) =>
    request.height === height
      ? { kind: 'pruned', log: 'version does not exist' }
      : await chain.abciQuery(request),
})

it.each([
  ['before the end', 5],
  ['at the end', 6],
])('names the height of a state that is missing %s', async (_, height) => {
  const chain = ordinary()
  expect(await readReason(chain, prunedAt(chain, height))).toBe(
    `archive: the node has pruned the state of height ${height}: version does not exist`,
  )
})

it('names the first block of a chain that was restarted after the vote', async () => {
  const chain = createMemoryChain({ firstHeight: 5_000 })
  chain.add({}, (state) => {
    const [, started] = begin('1', { from: 3, until: 6 })
    started?.(state)
    withResult('1', { yes: '75' })(state)
  })
  addAll(chain, [[{}], [{}]])
  expect(await readReason(chain)).toBe(
    'archive: the vote had ended at height 5000, the first one of the endpoint',
  )
})

it('says that there was no vote', async () => {
  const chain = createMemoryChain()
  chain.add({}, ({ proposals }) => {
    const [, started] = begin('1', { from: 1, until: 3 })
    started?.({ proposals } as never)
    const { votingStartTime: _start, votingEndTime: _end, ...rest } = proposals.get('1')!
    proposals.set('1', { ...rest, status: 5 } as never)
  })
  expect(await readReason(chain)).toBe('archive: there was no vote')
})

it('accepts no evidence with a missing input', async () => {
  const chain = ordinary()
  const abciQuery: ChainReader['abciQuery'] = async (request) =>
    /Delegations$/.test(request.path)
      ? { kind: 'refused', code: 13, codespace: 'sdk', log: 'out of gas' }
      : await chain.abciQuery(request)
  expect(await readReason(chain, { ...chain, abciQuery })).toMatch(
    /^archive: delegations of cosmos1.*: the node refused \(sdk 13\) at height 6: out of gas$/,
  )
})
