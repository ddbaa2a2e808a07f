// Tests the governance state of forks: what they do not have, and what they added.
import { toBech32 } from '@cosmjs/encoding'
import { BinaryWriter } from 'cosmjs-types/binary'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import * as v1 from 'cosmjs-types/cosmos/gov/v1/query'
import { Proposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { QueryValidatorsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import { describe, expect, it } from 'vitest'
import { valueOrNull } from '../../../../ingest/chain/answer.ts'
import { proposalAt, proposalsAt } from '../../../../ingest/chain/gov.ts'
import { govParamsAt } from '../../../../ingest/chain/gov-params.ts'
import type { AbciAnswer } from '../../../../ingest/comet/endpoints/node.ts'
import { formatDecimal, parseDecimal } from '../../../../ingest/contract/decimal.ts'
import { nodeWith } from '../../../support/chain/node-with.ts'

const dec = (text: string) => Buffer.from(text)
const bytesOf = (no: number, value: Uint8Array) =>
  new BinaryWriter()
    .uint32((no << 3) | 2)
    .bytes(value)
    .finish()
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
/** The operators of a chain show which one it is. */
const operatorsOf = (prefix: string) => ({
  '/cosmos.staking.v1beta1.Query/Validators': () => {
    const operatorAddress = toBech32(`${prefix}valoper`, new Uint8Array(20))
    const validators = [Validator.fromPartial({ operatorAddress })]
    return QueryValidatorsResponse.encode(
      QueryValidatorsResponse.fromPartial({ validators }),
    ).finish()
  },
})
const seconds = (count: number) => Duration.encode({ seconds: BigInt(count), nanos: 0 }).finish()

describe('what a fork does not have', () => {
  const withParams = (params: object) =>
    nodeWith({
      '/cosmos.gov.v1.Query/Params': () =>
        v1.QueryParamsResponse.encode(v1.QueryParamsResponse.fromPartial({ params })).finish(),
    })

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

  it('is a part of the parameters that the node refuses', async () => {
    const refused: AbciAnswer = { kind: 'refused', code: 1, codespace: 'gov', log: 'no deposits' }
    const node = nodeWith({
      '/cosmos.gov.v1.Query/Params': (data) => {
        const { paramsType } = v1.QueryParamsRequest.decode(data)
        if (paramsType !== 'tallying') return refused
        return v1.QueryParamsResponse.encode(
          v1.QueryParamsResponse.fromPartial({ tallyParams: { quorum: '0.4', threshold: '0.5' } }),
        ).finish()
      },
    })
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: { quorum: '0.4', vetoThreshold: null, votingPeriodSeconds: null, minDeposit: [] },
    })
  })

  it.each<[string, object, object]>([
    [
      'no with veto',
      { yesCount: '70', abstainCount: '0', noCount: '60' },
      { yes: '70', abstain: '0', no: '60', noWithVeto: null },
    ],
    [
      'all but yes and no',
      { yesCount: '0', noCount: '1' },
      { yes: '0', abstain: null, no: '1', noWithVeto: null },
    ],
  ])(
    'is a null count of the final tally, and the others remain: %s',
    async (_, counts, expected) => {
      const node = nodeWith({
        '/cosmos.gov.v1.Query/Proposal': () =>
          v1.QueryProposalResponse.encode(
            v1.QueryProposalResponse.fromPartial({
              proposal: { id: 1n, status: 3, finalTallyResult: counts },
            }),
          ).finish(),
      })
      expect(await proposalAt(node, '1', 5)).toMatchObject({
        value: { proposal: { finalTally: expected } },
      })
    },
  )
})

describe('expedited votes in v1beta1, as on Sei', () => {
  const expedited = (flag: number) =>
    join(
      Proposal.encode(Proposal.fromPartial({ proposalId: 9n, status: 1 })).finish(),
      new Uint8Array([10 << 3, flag]),
    )
  const coin = Coin.encode({ denom: 'usei', amount: '20' }).finish()
  const rates = ['334', '500', '334', '400', '750'].map((rate, index) =>
    bytesOf(index + 1, dec(`${rate}000000000000000`)),
  )
  const parts: Record<string, Uint8Array> = {
    voting: bytesOf(1, join(bytesOf(1, seconds(600)), bytesOf(2, seconds(60)))),
    deposit: bytesOf(2, bytesOf(3, coin)),
    tallying: bytesOf(3, join(...rates)),
  }
  const node = nodeWith({
    ...operatorsOf('sei'),
    '/cosmos.gov.v1beta1.Query/Proposal': () => bytesOf(1, expedited(1)),
    '/cosmos.gov.v1beta1.Query/Proposals': () =>
      join(bytesOf(1, expedited(1)), bytesOf(1, expedited(0)), bytesOf(2, new Uint8Array())),
    '/cosmos.gov.v1beta1.Query/Params': (data) =>
      parts[v1beta1.QueryParamsRequest.decode(data).paramsType]!,
  })

  it('have the flag of each proposal', async () => {
    const one = await proposalAt(node, '9', 5)
    expect(one).toMatchObject({ value: { proposal: { proposalId: '9', expedited: true } } })
    const listed = await proposalsAt(node, 5)
    expect(
      'value' in listed && listed.value.proposals.map(({ proposal }) => proposal.expedited),
    ).toEqual([true, false])
  })

  it('have their own quorum, threshold, period and deposit', async () => {
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: {
        quorum: '0.334000000000000000',
        threshold: '0.500000000000000000',
        expeditedQuorum: '0.400000000000000000',
        expeditedThreshold: '0.750000000000000000',
        votingPeriodSeconds: 600,
        expeditedVotingPeriodSeconds: 60,
        expeditedMinDeposit: [{ denom: 'usei', amount: '20' }],
      },
    })
  })
})

describe('the limits of expedited votes before SDK 0.47', () => {
  const THRESHOLD = '0.5'
  const QUORUM = '0.2'
  type Fourth = string
  type Fifth = string | undefined

  /** A chain that shows what it is by its operators. */
  const nodeOf = (limits: readonly [Fourth, Fifth], prefix: string) => {
    const rates = [QUORUM, THRESHOLD, '0.334', ...limits].flatMap((rate, index) =>
      rate === undefined ? [] : [bytesOf(index + 1, dec(`${parseDecimal(rate)}`))],
    )
    return nodeWith({
      '/cosmos.gov.v1beta1.Query/Params': () => bytesOf(3, join(...rates)),
      ...operatorsOf(prefix),
    })
  }
  const readExpedited = async (limits: readonly [Fourth, Fifth], prefix = 'cosmos') => {
    const { expeditedQuorum, expeditedThreshold, ...params } = valueOrNull(
      await govParamsAt(nodeOf(limits, prefix), 5),
    )!
    expect([params.quorum, params.threshold].map(Number)).toEqual([QUORUM, THRESHOLD].map(Number))
    return [expeditedQuorum && formatDecimal(parseDecimal(expeditedQuorum)), expeditedThreshold]
  }

  it.each<[string, [Fourth, Fifth], string, unknown[]]>([
    ['the only one on Osmosis', ['0.667', undefined], 'osmo', [undefined, '0.667']],
    ['the fourth on Osmosis', ['0.8', '0.667'], 'osmo', ['0.667', '0.8']],
    ['the fifth on Sei', ['0.8', '0.667'], 'sei', ['0.8', '0.667']],
    ['the fifth on SGE', ['0.6', '0.75'], 'sge', ['0.6', '0.75']],
  ])('have as threshold %s', async (_, limits, prefix, expected) => {
    const [quorum, threshold] = await readExpedited(limits, prefix)
    expect([quorum, threshold && formatDecimal(parseDecimal(threshold))]).toEqual(expected)
  })

  it('are both unknown if nothing shows which one is which', async () => {
    expect(await readExpedited(['0.8', '0.667'])).toEqual([null, null])
  })

  it('have their period after those by type of proposal, as on Osmosis', async () => {
    const byType = bytesOf(2, join(bytesOf(1, dec('a.Proposal')), bytesOf(2, seconds(9))))
    const voting = join(bytesOf(1, seconds(600)), byType, bytesOf(3, seconds(60)))
    const tally = bytesOf(1, dec('200000000000000000'))
    const node = nodeWith({
      '/cosmos.gov.v1beta1.Query/Params': () => join(bytesOf(1, voting), bytesOf(3, tally)),
    })
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: { votingPeriodSeconds: 600, expeditedVotingPeriodSeconds: 60 },
    })
  })
})
