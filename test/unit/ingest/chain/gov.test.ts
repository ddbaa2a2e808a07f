// Tests the governance state of every SDK version, and the reasons if there is none.
import * as v1 from 'cosmjs-types/cosmos/gov/v1/query'
import { Proposal, TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { describe, expect, it } from 'vitest'
import { proposalAt, proposalsAt, votesAt } from '../../../../ingest/chain/gov.ts'
import { govParamsAt } from '../../../../ingest/chain/gov-params.ts'
import type { AbciAnswer } from '../../../../ingest/comet/endpoints/node.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { nodeWith } from '../../../support/chain/node-with.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { proposalAt as made, voteBy } from '../../../support/simulator/state/chain-state.ts'

const never = { seconds: -62_135_596_800n, nanos: 0 }
const oldProposal = Proposal.fromPartial({
  proposalId: 9n,
  status: 1,
  content: {
    typeUrl: TextProposal.typeUrl,
    value: TextProposal.encode({ title: 'Old', description: 'Words' }).finish(),
  },
  submitTime: { seconds: 1_600_000_000n, nanos: 5 },
  votingStartTime: never,
  votingEndTime: never,
  finalTallyResult: { yes: '0', abstain: '0', no: '0', noWithVeto: '0' },
})

const dec = (text: string) => Buffer.from(text)

describe('governance of SDK 0.45, which has only v1beta1', () => {
  const node = nodeWith({
    '/cosmos.gov.v1beta1.Query/Proposal': () =>
      v1beta1.QueryProposalResponse.encode({ proposal: oldProposal }).finish(),
    '/cosmos.gov.v1beta1.Query/Votes': () =>
      v1beta1.QueryVotesResponse.encode(
        v1beta1.QueryVotesResponse.fromPartial({
          votes: [
            {
              voter: 'a',
              options: [
                { option: 1, weight: '700000000000000000' },
                { option: 2, weight: '300000000000000000' },
              ],
            },
            { voter: 'b', option: 3 },
          ],
        }),
      ).finish(),
    '/cosmos.gov.v1beta1.Query/Params': (data) => {
      const { paramsType } = v1beta1.QueryParamsRequest.decode(data)
      return v1beta1.QueryParamsResponse.encode(
        v1beta1.QueryParamsResponse.fromPartial({
          ...(paramsType === 'voting' ? { votingParams: { votingPeriod: { seconds: 60n } } } : {}),
          ...(paramsType === 'deposit'
            ? { depositParams: { minDeposit: [{ denom: 'stake', amount: '5' }] } }
            : {}),
          ...(paramsType === 'tallying'
            ? {
                tallyParams: {
                  quorum: dec('334000000000000000'),
                  threshold: dec('500000000000000000'),
                  vetoThreshold: dec('334000000000000000'),
                },
              }
            : {}),
        }),
      ).finish()
    },
  })

  it('returns a proposal with the title and description of its content, and null for unset times', async () => {
    const answer = await proposalAt(node, '9', 5)
    expect(answer).toMatchObject({
      value: {
        proposal: {
          proposalId: '9',
          title: 'Old',
          summary: 'Words',
          proposer: null,
          messageTypes: ['/cosmos.gov.v1beta1.TextProposal'],
          status: 'deposit_period',
          submitTime: '2020-09-13T12:26:40.000000005Z',
          votingStartTime: null,
          finalTally: null,
        },
        messages: [{ typeUrl: '/cosmos.gov.v1beta1.TextProposal' }],
      },
    })
  })

  it('returns weights of 18 decimals, and one option of weight 1 for a vote without weights', async () => {
    expect(await votesAt(node, { proposalId: '9', height: 5 })).toEqual({
      value: [
        {
          voter: 'a',
          options: [
            { option: 'yes', weight: '0.700000000000000000' },
            { option: 'abstain', weight: '0.300000000000000000' },
          ],
        },
        { voter: 'b', options: [{ option: 'no', weight: '1.000000000000000000' }] },
      ],
    })
  })

  it('joins the parameters of three responses', async () => {
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: {
        quorum: '0.334000000000000000',
        votingPeriodSeconds: 60,
        minDeposit: [{ denom: 'stake', amount: '5' }],
        expeditedThreshold: null,
        burnVoteVeto: null,
      },
    })
  })
})

describe('governance of SDK 0.46, whose v1 parameters come in parts', () => {
  it('joins the parts', async () => {
    const node = nodeWith({
      '/cosmos.gov.v1.Query/Params': (data) => {
        const { paramsType } = v1.QueryParamsRequest.decode(data)
        const tallyParams = { quorum: '0.4', threshold: '0.5', vetoThreshold: '0.334' }
        return v1.QueryParamsResponse.encode(
          v1.QueryParamsResponse.fromPartial({
            ...(paramsType === 'tallying' ? { tallyParams } : {}),
            ...(paramsType === 'voting' ? { votingParams: { votingPeriod: { seconds: 9n } } } : {}),
          }),
        ).finish()
      },
    })
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: { quorum: '0.4', votingPeriodSeconds: 9, burnVoteQuorum: null },
    })
  })
})

describe('governance through v1', () => {
  it('reads all pages of a list', async () => {
    const chain = createMemoryChain()
    const height = chain.add({}, (state) => {
      for (const id of ['1', '2', '3', '4', '5']) state.proposals.set(id, made(id, 1))
      state.votes.set(
        '1',
        ['a', 'b', 'c'].map((voter) => voteBy('1', voter)),
      )
    })
    const proposals = await proposalsAt(chain, height)
    expect(
      'value' in proposals && proposals.value.proposals.map((p) => p.proposal.proposalId),
    ).toEqual(['1', '2', '3', '4', '5'])
    const votes = await votesAt(chain, { proposalId: '1', height })
    // In the order of the store: by address.
    expect('value' in votes && votes.value.map(({ voter }) => voter)).toEqual(
      ['c', 'b', 'a'].map(account),
    )
  })

  it('reports a missing proposal', async () => {
    const chain = createMemoryChain()
    chain.add()
    expect(await proposalAt(chain, '1', 1)).toMatchObject({
      unavailable: expect.stringContaining('no such entry at height 1'),
    })
  })

  it('reports a pruned height', async () => {
    const chain = createMemoryChain()
    chain.add()
    chain.prunedBelow = 2
    expect(await proposalAt(chain, '1', 1)).toEqual({
      unavailable: expect.stringContaining('pruned the state of height 1'),
    })
  })

  it('reports a refusal with the message of the node', async () => {
    const refused: AbciAnswer = { kind: 'refused', code: 11, codespace: 'sdk', log: 'out of gas' }
    const node = nodeWith({ '/cosmos.gov.v1.Query/Votes': () => refused })
    expect(await votesAt(node, { proposalId: '1', height: 5 })).toEqual({
      unavailable: expect.stringContaining('out of gas'),
    })
  })

  it('reports a response that cannot be decoded', async () => {
    const node = nodeWith({ '/cosmos.gov.v1.Query/Proposal': () => new Uint8Array([0x0a, 0xff]) })
    expect(await proposalAt(node, '1', 5)).toEqual({
      unavailable: expect.stringContaining('cannot be decoded'),
    })
  })
})
