// Tests fields of forks whose numbers have another meaning in `cosmos.gov.v1`.
import { BinaryWriter } from 'cosmjs-types/binary'
import { Params, Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/base/runtime/clock.ts'
import { proposalAt, proposalsAt } from '../../../../ingest/chain/gov.ts'
import { withGovPackage } from '../../../../ingest/chain/gov-package.ts'
import { govParamsAt } from '../../../../ingest/chain/gov-params.ts'
import { type Answers, nodeWith } from '../../../support/chain/node-with.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

const wrap = (answers: Answers) =>
  withGovPackage(nodeWith(answers), { clock: systemClock, logger: silentLogger() })

type Extra = (writer: BinaryWriter) => BinaryWriter

const within = (field: number, ...messages: Uint8Array[]): Uint8Array => {
  const writer = new BinaryWriter()
  for (const message of messages) writer.uint32((field << 3) | 2).bytes(message)
  return writer.finish()
}
const add = (bytes: Uint8Array, extra: Extra): Uint8Array =>
  Buffer.concat([bytes, extra(new BinaryWriter()).finish()])

const proposal = (extra: Extra) =>
  add(Proposal.encode(Proposal.fromPartial({ id: 7n, title: 'A law', status: 2 })).finish(), extra)
const params = (extra: Extra) =>
  add(Params.encode(Params.fromPartial({ quorum: '0.25', threshold: '0.667' })).finish(), extra)

/** Fields 14, 15 and 16 of `atomone.gov.v1.Proposal`. */
const endorsed: Extra = (writer) =>
  writer.uint32(112).bool(true).uint32(122).string('a note of the DAO').uint32(128).uint32(2)

describe('a proposal of AtomOne before version 4', () => {
  it('is not expedited if the DAO endorsed it, and its annotation is no reason of a failure', async () => {
    const node = wrap({
      '/atomone.gov.v1.Query/Proposal': () => within(1, proposal(endorsed)),
      '/atomone.gov.v1.Query/Proposals': () =>
        within(
          1,
          proposal(endorsed),
          proposal((w) => w),
        ),
    })
    const expected = { title: 'A law', expedited: false, failedReason: null }
    expect(await proposalAt(node, '7', 5)).toMatchObject({ value: { proposal: expected } })
    expect(await proposalsAt(node, 5)).toMatchObject({
      value: { proposals: [{ proposal: expected }, { proposal: expected }] },
    })
  })
})

describe('the parameters of AtomOne before version 4', () => {
  it.each<[string, Extra]>([
    ['a minimum deposit ratio', (writer) => writer.uint32(122).string('0.010000000000000000')],
    [
      'limits of laws and of the constitution',
      (writer) =>
        writer
          .uint32(122)
          .string('0.01')
          .uint32(138)
          .string('0.900000000000000000')
          .uint32(154)
          .string('0.900000000000000000'),
    ],
  ])('have quorum and threshold, and no veto, beside %s', async (_, extra) => {
    const node = wrap({ '/atomone.gov.v1.Query/Params': () => within(4, params(extra)) })
    expect(await govParamsAt(node, 5)).toMatchObject({
      value: { quorum: '0.25', threshold: '0.667', vetoThreshold: null, burnVoteVeto: false },
    })
  })
})

describe('the fields of another fork', () => {
  it('remain if they are those of upstream', async () => {
    const failed: Extra = (writer) => writer.uint32(112).bool(true).uint32(122).string('out of gas')
    const node = wrap({ '/initia.gov.v1.Query/Proposal': () => within(1, proposal(failed)) })
    expect(await proposalAt(node, '7', 5)).toMatchObject({
      value: { proposal: { expedited: true, failedReason: 'out of gas' } },
    })
  })

  it('are left out if upstream has another type under their number', async () => {
    const emergency: Extra = (writer) => writer.uint32(112).bool(true).uint32(120).bool(true)
    const node = wrap({ '/initia.gov.v1.Query/Proposal': () => within(1, proposal(emergency)) })
    expect(await proposalAt(node, '7', 5)).toMatchObject({
      value: { proposal: { expedited: true, failedReason: null } },
    })
  })
})
