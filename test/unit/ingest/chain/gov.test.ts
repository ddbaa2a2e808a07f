// Tests the governance state of every SDK version, and the reasons if there is none.
import { Proposal, TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { describe, expect, it } from 'vitest'
import { proposalAt, votesAt } from '../../../../ingest/chain/gov.ts'
import { govParamsAt } from '../../../../ingest/chain/gov-params.ts'
import { nodeWith } from '../../../support/chain/node-with.ts'

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
