// Tests the governance state of every SDK version and of forks: what they do not have, and what they added.
import { toBech32 } from '@cosmjs/encoding'
import { BinaryWriter } from 'cosmjs-types/binary'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import * as v1 from 'cosmjs-types/cosmos/gov/v1/query'
import { Proposal, TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { QueryValidatorsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import { describe, expect, it } from 'vitest'
import { valueOrNull } from '../../../../ingest/chain/answer.ts'
import { proposalAt, proposalsAt, votesAt } from '../../../../ingest/chain/gov.ts'
import { govParamsAt } from '../../../../ingest/chain/gov-params.ts'
import type { AbciAnswer } from '../../../../ingest/comet/endpoints/node.ts'
import { nodeWith } from '../../../support/chain/node-with.ts'

const NEVER = { seconds: -62_135_596_800n, nanos: 0 }

const dec = (text: string) => Buffer.from(text)
const bytesOf = (no: number, value: Uint8Array) =>
  new BinaryWriter()
    .uint32((no << 3) | 2)
    .bytes(value)
    .finish()
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const numbered = (values: readonly Uint8Array[]) =>
  join(...values.map((value, index) => bytesOf(index + 1, value)))
const seconds = (count: number) => Duration.encode({ seconds: BigInt(count), nanos: 0 }).finish()
const rate = (thousandths: number) => dec(`${thousandths}000000000000000`)

/** The operators of a chain show which one it is. */
const operatorsOf = (prefix: string) => ({
  '/cosmos.staking.v1beta1.Query/Validators': () => {
    const operatorAddress = toBech32(`${prefix}valoper`, new Uint8Array(20))
    const response = QueryValidatorsResponse.fromPartial({ validators: [{ operatorAddress }] })
    return QueryValidatorsResponse.encode(response).finish()
  },
})

const withParams = (params: object) =>
  nodeWith({
    '/cosmos.gov.v1.Query/Params': () =>
      v1.QueryParamsResponse.encode(v1.QueryParamsResponse.fromPartial({ params })).finish(),
  })

/** `part`: the response to each type of parameters, in its field of the response. */
const withOldParams = (part: Partial<Record<string, Uint8Array>>, prefix = 'cosmos') =>
  nodeWith({
    ...operatorsOf(prefix),
    '/cosmos.gov.v1beta1.Query/Params': (data) => {
      const { paramsType } = v1beta1.QueryParamsRequest.decode(data)
      const field = { voting: 1, deposit: 2, tallying: 3 }[paramsType] ?? 0
      return bytesOf(field, part[paramsType] ?? new Uint8Array())
    },
  })

describe('governance of SDK 0.45, which has only v1beta1', () => {
  it('has the title and description of the content, and null for times that are not set', async () => {
    const value = TextProposal.encode({ title: 'Old', description: 'Words' }).finish()
    const proposal = Proposal.fromPartial({
      proposalId: 9n,
      status: 1,
      content: { typeUrl: TextProposal.typeUrl, value },
      submitTime: { seconds: 1_600_000_000n, nanos: 5 },
      votingStartTime: NEVER,
      votingEndTime: NEVER,
      finalTallyResult: { yes: '0', abstain: '0', no: '0', noWithVeto: '0' },
    })
    const node = nodeWith({
      '/cosmos.gov.v1beta1.Query/Proposal': () =>
        v1beta1.QueryProposalResponse.encode({ proposal }).finish(),
    })
    expect(await proposalAt(node, '9', 5)).toMatchObject({
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

  it('has weights of 18 decimals, and one option of weight 1 for a vote without weights', async () => {
    const options = [
      { option: 1, weight: '700000000000000000' },
      { option: 2, weight: '300000000000000000' },
    ]
    const response = v1beta1.QueryVotesResponse.fromPartial({
      votes: [
        { voter: 'a', options },
        { voter: 'b', option: 3 },
      ],
    })
    const node = nodeWith({
      '/cosmos.gov.v1beta1.Query/Votes': () => v1beta1.QueryVotesResponse.encode(response).finish(),
    })
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
})

describe('what a fork does not have', () => {
  it.each<[string, object, object]>([
    [
      'a veto',
      { quorum: '0.25', threshold: '0.667' },
      { quorum: '0.25', threshold: '0.667', vetoThreshold: null },
    ],
    [
      'a quorum',
      { threshold: '0.5', vetoThreshold: '0.334' },
      { quorum: null, threshold: '0.5', vetoThreshold: '0.334' },
    ],
    ['a threshold', { quorum: '0.4' }, { quorum: '0.4', threshold: null, vetoThreshold: null }],
  ])('is a null parameter, and the others remain: %s', async (_, params, expected) => {
    expect(await govParamsAt(withParams(params), 5)).toMatchObject({ value: expected })
  })

  it.each<[string, object]>([
    ['no parameters', {}],
    ['an invalid rate', { quorum: 'forty percent', threshold: '0.5', vetoThreshold: '0.334' }],
  ])('makes all parameters unknown with %s', async (reason, params) => {
    expect(await govParamsAt(withParams(params), 5)).toEqual({
      unavailable: expect.stringContaining(reason),
    })
  })

  it('is a part of the parameters that the node of SDK 0.46 refuses', async () => {
    const refused: AbciAnswer = { kind: 'refused', code: 1, codespace: 'gov', log: 'no deposits' }
    const response = v1.QueryParamsResponse.fromPartial({
      tallyParams: { quorum: '0.4', threshold: '0.5' },
    })
    const node = nodeWith({
      '/cosmos.gov.v1.Query/Params': (data) =>
        v1.QueryParamsRequest.decode(data).paramsType === 'tallying'
          ? v1.QueryParamsResponse.encode(response).finish()
          : refused,
    })
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: { quorum: '0.4', vetoThreshold: null, votingPeriodSeconds: null, minDeposit: [] },
    })
  })

  it('is a null count of the final tally, and the others remain', async () => {
    const response = v1.QueryProposalResponse.fromPartial({
      proposal: { id: 1n, status: 3, finalTallyResult: { yesCount: '0', noCount: '1' } },
    })
    const node = nodeWith({
      '/cosmos.gov.v1.Query/Proposal': () => v1.QueryProposalResponse.encode(response).finish(),
    })
    expect(await proposalAt(node, '1', 5)).toMatchObject({
      value: { proposal: { finalTally: { yes: '0', abstain: null, no: '1', noWithVeto: null } } },
    })
  })
})

describe('expedited votes in v1beta1, as on Sei', () => {
  it('have the flag of each proposal', async () => {
    const proposal = Proposal.encode(Proposal.fromPartial({ proposalId: 9n, status: 1 })).finish()
    const flagged = (flag: number) => bytesOf(1, join(proposal, new Uint8Array([10 << 3, flag])))
    const node = nodeWith({
      ...operatorsOf('sei'),
      '/cosmos.gov.v1beta1.Query/Proposal': () => flagged(1),
      '/cosmos.gov.v1beta1.Query/Proposals': () =>
        join(flagged(1), flagged(0), bytesOf(2, new Uint8Array())),
    })
    expect(await proposalAt(node, '9', 5)).toMatchObject({
      value: { proposal: { proposalId: '9', expedited: true } },
    })
    expect(await proposalsAt(node, 5)).toMatchObject({
      value: { proposals: [{ proposal: { expedited: true } }, { proposal: { expedited: false } }] },
    })
  })

  it('have their own quorum, threshold, period and deposit, of three responses', async () => {
    const coin = (amount: string) => Coin.encode({ denom: 'usei', amount }).finish()
    const parts = {
      voting: numbered([seconds(600), seconds(60)]),
      deposit: join(bytesOf(1, coin('5')), bytesOf(3, coin('20'))),
      tallying: numbered([334, 500, 334, 400, 750].map(rate)),
    }
    const node = withOldParams(parts, 'sei')
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: {
        quorum: '0.334000000000000000',
        threshold: '0.500000000000000000',
        expeditedQuorum: '0.400000000000000000',
        expeditedThreshold: '0.750000000000000000',
        votingPeriodSeconds: 600,
        expeditedVotingPeriodSeconds: 60,
        minDeposit: [{ denom: 'usei', amount: '5' }],
        expeditedMinDeposit: [{ denom: 'usei', amount: '20' }],
      },
    })
  })
})

describe('the limits of expedited votes before SDK 0.47', () => {
  it.each<[string, number[], string, unknown[]]>([
    ['the only one on Osmosis', [667], 'osmo', [undefined, '0.667000000000000000']],
    ['the fourth on Osmosis', [800, 667], 'osmo', ['0.667000000000000000', '0.800000000000000000']],
    ['the fifth on SGE', [600, 750], 'sge', ['0.600000000000000000', '0.750000000000000000']],
    ['unknown if nothing shows which one it is', [800, 667], 'cosmos', [null, null]],
  ])('have as threshold %s', async (_, limits, prefix, expected) => {
    const node = withOldParams({ tallying: numbered([200, 500, 334, ...limits].map(rate)) }, prefix)
    const params = valueOrNull(await govParamsAt(node, 5))
    expect(params?.quorum).toBe('0.200000000000000000')
    expect([params?.expeditedQuorum, params?.expeditedThreshold]).toEqual(expected)
  })

  it('have their period after those by type of proposal, as on Osmosis', async () => {
    const byType = numbered([dec('a.Proposal'), seconds(9)])
    const voting = numbered([seconds(600), byType, seconds(60)])
    const node = withOldParams({ voting, tallying: numbered([rate(200)]) })
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: { votingPeriodSeconds: 600, expeditedVotingPeriodSeconds: 60 },
    })
  })
})
