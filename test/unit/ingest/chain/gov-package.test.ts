// Tests x/gov in a package of a fork: its queries, its messages, and chains without it.

import { BinaryWriter } from 'cosmjs-types/binary'
import * as v1 from 'cosmjs-types/cosmos/gov/v1/query'
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/base/runtime/clock.ts'
import { proposalAt, proposalsAt, votesAt } from '../../../../ingest/chain/gov.ts'
import { withGovPackage } from '../../../../ingest/chain/gov-package.ts'
import { govParamsAt } from '../../../../ingest/chain/gov-params.ts'
import { findGov } from '../../../../ingest/chain/module-presence.ts'
import { proposalText } from '../../../../ingest/chain/proposal-content.ts'
import { decodeTx, submissionsInTx } from '../../../../ingest/derive/tx-messages.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { type Answers, nodeWith } from '../../../support/chain/node-with.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'
import { account } from '../../../support/simulator/addresses.ts'
import {
  type ChainState,
  proposalAt as made,
  voteBy,
} from '../../../support/simulator/state/chain-state.ts'
import { encodeTx, submitMessage, voteMessage } from '../../../support/simulator/txs.ts'

const wrap = <Node extends Parameters<typeof withGovPackage>[0]>(node: Node) =>
  withGovPackage(node, { clock: systemClock, logger: silentLogger() })

const setup = (change: Partial<ChainState>) => {
  const chain = createMemoryChain()
  chain.add({}, (state) => {
    state.proposals.set('7', made('7', 1, 2))
    state.votes.set('7', [voteBy('7', 'alice')])
    Object.assign(state, change)
  })
  return { chain, node: wrap(chain) }
}

describe('x/gov in the package of a fork', () => {
  it.each<[string, Partial<ChainState>]>([
    ['that a node without reflection has', { govPackage: 'atomone.gov' }],
    ['another one', { govPackage: 'govgen.gov' }],
    ['that the list of messages names', { govPackage: 'other.gov', reflection: 'types' }],
    ['that the protobuf files name', { govPackage: 'org.chain.gov', reflection: 'files' }],
    ['without an organization', { govPackage: 'gov', reflection: 'types' }],
    ['of upstream', {}],
  ])('has proposals, votes and parameters: %s', async (_, change) => {
    const { node } = setup(change)
    expect(await findGov(node, 1)).toBe('present')
    expect(await proposalAt(node, '7', 1)).toMatchObject({
      value: { proposal: { title: 'Proposal 7' } },
    })
    expect(await proposalsAt(node, 1)).toMatchObject({ value: { proposals: [{}] } })
    expect(await votesAt(node, { proposalId: '7', height: 1 })).toMatchObject({
      value: [{ voter: account('alice') }],
    })
    expect(await govParamsAt(node, 1)).toMatchObject({ value: { votingPeriodSeconds: 600 } })
  })

  it('is asked at first after it was found, and is found again after an upgrade', async () => {
    const { chain, node } = setup({ govPackage: 'atomone.gov' })
    await govParamsAt(node, 1)
    const before = chain.queries.length
    await votesAt(node, { proposalId: '7', height: 1 })
    expect(chain.queries.slice(before).map(({ path }) => path)).toEqual([
      '/atomone.gov.v1.Query/Votes',
    ])
    chain.add({}, (state) => {
      state.govPackage = 'cosmos.gov'
    })
    expect(await votesAt(node, { proposalId: '7', height: 2 })).toHaveProperty('value')
  })

  it('is that of upstream if a chain has both', async () => {
    const upstream = v1.QueryParamsResponse.fromPartial({ params: { quorum: '0.4' } })
    const fork = v1.QueryParamsResponse.fromPartial({ params: { quorum: '0.1' } })
    const node = nodeWith({
      '/cosmos.gov.v1.Query/Params': () => v1.QueryParamsResponse.encode(upstream).finish(),
      '/initia.gov.v1.Query/Params': () => v1.QueryParamsResponse.encode(fork).finish(),
    })
    expect(await govParamsAt(wrap(node), 1)).toMatchObject({ value: { quorum: '0.4' } })
  })

  it.each(['govgen.gov', 'cosmos.gov'])('may have only v1beta1: %s', async (name) => {
    const params = v1beta1.QueryParamsResponse.fromPartial({
      tallyParams: { quorum: Buffer.from('400000000000000000') },
    })
    const node = nodeWith({
      [`/${name}.v1beta1.Query/Params`]: () => v1beta1.QueryParamsResponse.encode(params).finish(),
    })
    expect(await findGov(wrap(node), 1)).toBe('present')
    expect(await govParamsAt(wrap(node), 1)).toMatchObject({
      value: { quorum: '0.400000000000000000' },
    })
  })

  it.each(['atomone.gov', 'other.gov', 'gov'])('has the messages of %s', (name) => {
    const fork = <Message extends { typeUrl: string }>(message: Message): Message => ({
      ...message,
      typeUrl: message.typeUrl.replace('/cosmos.gov.', `/${name}.`),
    })
    const vote = voteMessage('7', account('alice'), 3)
    expect(decodeTx(encodeTx(fork(vote)))).toEqual(decodeTx(encodeTx(vote)))
    expect(decodeTx(encodeTx(vote)).messages).toHaveLength(1)
    const submit = submitMessage('A title', account('alice'))
    expect(submissionsInTx(encodeTx(fork(submit)))).toEqual(submissionsInTx(encodeTx(submit)))
    const text = new BinaryWriter().uint32(10).string('Legacy').finish()
    const content = new BinaryWriter().uint32(18).bytes(text).finish()
    const exec = new BinaryWriter().uint32(10).bytes(content).finish()
    const messages = [{ typeUrl: `/${name}.v1.MsgExecLegacyContent`, value: exec }]
    expect(proposalText({ title: '', summary: '' }, messages).title).toBe('Legacy')
  })

  it.each(['/cosmos.group.v1.MsgVote', '/x.govern.v1.MsgVote', '/x.gov.v2.MsgVote'])(
    'does not have the message %s of another module',
    (typeUrl) => {
      const { value } = voteMessage('7', account('alice'))
      expect(decodeTx(encodeTx({ typeUrl, value })).messages).toEqual([])
    },
  )
})

describe('parameters that a chain computes, as AtomOne does', () => {
  const encode = (params: object) =>
    v1.QueryParamsResponse.encode(v1.QueryParamsResponse.fromPartial({ params })).finish()
  const coin = new BinaryWriter().uint32(10).string('uatone').uint32(18).string('512').finish()
  const computed: Answers = {
    '/atomone.gov.v1.Query/Quorums': () =>
      new BinaryWriter().uint32(10).string('0.183').uint32(18).string('0.3').finish(),
    '/atomone.gov.v1.Query/MinDeposit': () => new BinaryWriter().uint32(10).bytes(coin).finish(),
  }

  it('are their current values', async () => {
    const node = nodeWith({
      '/atomone.gov.v1.Query/Params': () => encode({ threshold: '0.667' }),
      ...computed,
    })
    expect(await govParamsAt(wrap(node), 5)).toMatchObject({
      value: {
        quorum: '0.183',
        minDeposit: [{ denom: 'uatone', amount: '512' }],
        vetoThreshold: null,
      },
    })
  })

  it('are those of the parameters if these have them', async () => {
    const params = {
      quorum: '0.25',
      threshold: '0.667',
      minDeposit: [{ denom: 'uatone', amount: '10' }],
    }
    const node = nodeWith({ '/atomone.gov.v1.Query/Params': () => encode(params), ...computed })
    expect(await govParamsAt(wrap(node), 5)).toMatchObject({ value: params })
  })
})
