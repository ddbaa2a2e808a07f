// Tests when the ballots of a past vote were cast: all of them are found in past blocks, or the log says how many are missing and why.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { ChainReader } from '../../../../ingest/comet/endpoints/node.ts'
import type { HistoryDraft } from '../../../../ingest/past-rounds/reconstruct.ts'
import {
  addAll,
  begin,
  close,
  reconstructed,
  withSecondRound,
} from '../../../support/chain/history-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import type { Step } from '../../../support/chain/vote-run.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { timeAt } from '../../../support/simulator/blocks.ts'
import { endEvent, voteTx } from '../../../support/simulator/gov-events.ts'

const VOTES: Step[] = [
  [{ txs: [voteTx('1', 'alice', 3)] }],
  [{ txs: [voteTx('1', 'one', 4)] }],
  [{ txs: [voteTx('1', 'alice')] }],
]
/** Votes at heights 4 to 6; the vote ends at height 8. */
const ordinary = () =>
  addAll(createMemoryChain(), [
    [{}],
    [{}],
    begin('1', { from: 3, until: 8 }),
    ...VOTES,
    [{}],
    close('1', { yes: '75', noWithVeto: '550' }),
    [{}],
  ])

const readVotes = (drafts: readonly HistoryDraft[], round = 1) => {
  const [result] = drafts.flatMap(({ type, data }) =>
    type === 'rollcall.vote.reconstructed.v1' && data.round === round ? [data] : [],
  )
  const found = drafts
    .flatMap(({ type, data }) =>
      type === 'rollcall.round.read.v1' && data.round === round ? data.ballots : [],
    )
    .flatMap(({ voter, cast }) => (cast ? [{ voter, ...cast }] : []))
    .sort((one, other) => one.height - other.height)
  return { votes: result?.votes, votesReason: result?.votesReason, found, result }
}

type Index = ChainReader['searchTxs']

const searched = async (searchTxs: Index[]) => {
  const chain = ordinary()
  const nodes = searchTxs.map((search, at) => ({
    name: `archive ${at}`,
    node: { ...chain, searchTxs: search },
  }))
  const { drafts } = await reconstructed(chain, '1', { searchesVotes: true, nodes })
  return readVotes(drafts)
}

describe('the votes of a reconstructed vote', () => {
  it('have time and transaction, those of the last vote of each voter', async () => {
    const chain = ordinary()
    const { drafts, votes: isSearched } = await reconstructed(chain, '1', { searchesVotes: true })
    const { votes, votesReason, found, result } = readVotes(drafts)
    expect([isSearched, votes, votesReason]).toEqual([true, 'all', null])
    expect(found.map(({ voter, height, time }) => [voter, height, time])).toEqual([
      [account('one'), 5, timeAt(5)],
      [account('alice'), 6, timeAt(6)],
    ])
    const hashes = [5, 6].map((height) => chain.blocks()[height - 1]?.txs[0]?.hash)
    expect(found.map(({ txHash }) => txHash)).toEqual(hashes)
    const txHash = chain.blocks()[2]?.txs[0]?.hash
    expect(result?.submitted).toEqual({ height: 3, txHash })
    expect(drafts.map(({ type }) => type.split('.')[1])).toEqual(['vote', 'round'])
  })

  it('are not searched unless asked for', async () => {
    const { drafts, votes: isSearched } = await reconstructed(ordinary(), '1')
    expect(isSearched).toBe(false)
    expect(readVotes(drafts)).toMatchObject({
      votes: 'none',
      votesReason: 'votes before the first indexed height are not searched',
      found: [],
      result: { submitted: null },
    })
  })

  it('belong to the round in which they were cast', async () => {
    const restart: Step = [
      { txs: [voteTx('1', 'two')], end: [endEvent('1', 'expedited_proposal_rejected')] },
      withSecondRound('1', { yes: '375', noWithVeto: '550' }, 9),
    ]
    const chain = addAll(createMemoryChain(), [
      [{}],
      [{}],
      begin('1', { from: 3, until: 7, expedited: true }),
      ...VOTES,
      restart,
      [{ txs: [voteTx('1', 'one')] }],
      close('1', { yes: '600' }),
    ])
    const { drafts } = await reconstructed(chain, '1', { searchesVotes: true })
    const heights = (round: number) => readVotes(drafts, round).found.map(({ height }) => height)
    expect([heights(1), heights(2)]).toEqual([[5, 6, 7], [8]])
    expect([readVotes(drafts, 1).votes, readVotes(drafts, 2).votes]).toEqual(['all', 'all'])
  })

  it('are some of them if the index lacks a height', async () => {
    const some: Index = async () => ({ heights: [4, 5], reason: null })
    expect(await searched([some])).toMatchObject({
      votes: 'some',
      votesReason: 'the votes of 1 of 2 voters were not found',
      found: [{ height: 5 }],
    })
  })

  it('are none without an index, with its reason', async () => {
    const none: Index = async () => ({ heights: [], reason: 'transaction indexing is disabled' })
    const down: Index = async () => {
      throw new AppError('RPC_UNAVAILABLE', 'the endpoint is down')
    }
    expect(await searched([none, down])).toMatchObject({
      votes: 'none',
      votesReason:
        'the votes of 2 of 2 voters were not found: transaction indexing is disabled; the endpoint is down',
      found: [],
    })
  })

  it('are some of them if no endpoint has the block of a height', async () => {
    const chain = ordinary()
    const block: ChainReader['block'] = async (height) => {
      if (height === 5) throw new AppError('HEIGHT_UNAVAILABLE', 'has no results')
      return await chain.block(height)
    }
    const nodes = [{ name: 'archive', node: { ...chain, block } }]
    const { drafts } = await reconstructed(chain, '1', { searchesVotes: true, nodes })
    expect(readVotes(drafts)).toMatchObject({
      votes: 'some',
      votesReason:
        'the votes of 1 of 2 voters were not found: no endpoint has the blocks of 1 heights',
    })
  })

  it('are not read from the endless heights of a hostile index', async () => {
    const chain = ordinary()
    const heights = Array.from({ length: 50_000 }, (_, at) => at + 1)
    let reads = 0
    const node: ChainReader = {
      ...chain,
      searchTxs: async () => ({
        heights: [...heights, ...heights.map((at) => at * 7)],
        reason: null,
      }),
      block: async (height) => {
        reads += 1
        return await chain.block(height)
      },
    }
    const nodes = [{ name: 'hostile', node }]
    const { drafts } = await reconstructed(chain, '1', { searchesVotes: true, nodes })
    expect(readVotes(drafts).votes).toBe('all')
    expect(reads).toBeLessThan(20)
  })
})
