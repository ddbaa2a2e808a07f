// Tests the governance state of forks: what they do not have, and what they added.
import { BinaryWriter } from 'cosmjs-types/binary'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import * as v1 from 'cosmjs-types/cosmos/gov/v1/query'
import { Proposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import { describe, expect, it } from 'vitest'
import { proposalAt, proposalsAt, tallyAt } from '../../../../ingest/chain/gov.ts'
import { govParamsAt } from '../../../../ingest/chain/gov-params.ts'
import type { AbciAnswer } from '../../../../ingest/comet/node.ts'
import { nodeWith } from '../../../support/chain/node-with.ts'

const dec = (text: string) => Buffer.from(text)

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
    [
      'any limit',
      { votingPeriod: { seconds: 60n } },
      { quorum: null, threshold: null, vetoThreshold: null, votingPeriodSeconds: 60 },
    ],
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
      'abstentions',
      { yesCount: '7', noCount: '6', noWithVetoCount: '5' },
      { yes: '7', abstain: null, no: '6', noWithVeto: '5' },
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

  it('is the whole final tally if no count is in it', async () => {
    const node = nodeWith({
      '/cosmos.gov.v1.Query/TallyResult': () =>
        v1.QueryTallyResultResponse.encode(
          v1.QueryTallyResultResponse.fromPartial({ tally: {} }),
        ).finish(),
    })
    expect(await tallyAt(node, '1', 5)).toEqual({ unavailable: expect.stringContaining('lacks') })
  })
})

describe('expedited votes in v1beta1, as on Sei', () => {
  const bytesOf = (no: number, value: Uint8Array) =>
    new BinaryWriter()
      .uint32((no << 3) | 2)
      .bytes(value)
      .finish()
  const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
  const expedited = (flag: number) =>
    join(
      Proposal.encode(Proposal.fromPartial({ proposalId: 9n, status: 1 })).finish(),
      new Uint8Array([10 << 3, flag]),
    )
  const seconds = (count: number) => Duration.encode({ seconds: BigInt(count), nanos: 0 }).finish()
  const coin = Coin.encode({ denom: 'usei', amount: '20' }).finish()
  const rates = ['334', '500', '334', '667', '750'].map((rate, index) =>
    bytesOf(index + 1, dec(`${rate}000000000000000`)),
  )
  const parts: Record<string, Uint8Array> = {
    voting: bytesOf(1, join(bytesOf(1, seconds(600)), bytesOf(2, seconds(60)))),
    deposit: bytesOf(2, bytesOf(3, coin)),
    tallying: bytesOf(3, join(...rates)),
  }
  const node = nodeWith({
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
        expeditedQuorum: '0.667000000000000000',
        expeditedThreshold: '0.750000000000000000',
        votingPeriodSeconds: 600,
        expeditedVotingPeriodSeconds: 60,
        expeditedMinDeposit: [{ denom: 'usei', amount: '20' }],
      },
    })
  })
})
