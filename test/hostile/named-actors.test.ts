// Proposers and depositors are correct or null in every era of the SDK,
// also for authz, contracts, groups and governance itself.

import { MsgDeposit } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgDeposit as LegacyDeposit } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { describe, expect, it } from 'vitest'
import { derive } from '../../ingest/derive/derive.ts'
import { createBlock } from '../support/chain/decoded-block.ts'
import { ingestToTip, ofType } from '../support/chain/ingest-run.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { decide } from '../support/chain/votes.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { account } from '../support/simulator/addresses.ts'
import type { BlockSketch, EventSketch } from '../support/simulator/blocks.ts'
import { endEvent } from '../support/simulator/gov-events.ts'
import { type ChainState, proposalAt } from '../support/simulator/state/chain-state.ts'
import { encodeTx, execMessage, submitMessage } from '../support/simulator/txs.ts'

const alice = account('alice')
const bob = account('bob')
const gov = account('gov')
const contract = account('contract')

const deposit = (id: string, more: Record<string, string> = {}): EventSketch => [
  'proposal_deposit',
  { amount: '3stake', proposal_id: id, ...more },
]
const submission = (id: string, more: Record<string, string> = {}): EventSketch => [
  'submit_proposal',
  { proposal_id: id, ...more },
]
const action = (type: string): EventSketch => ['message', { action: type }]
const paid = (sender: string): EventSketch[] => [
  ['coin_spent', { spender: sender, amount: '3stake' }],
  ['message', { sender }],
]
const signed = (sender: string, more: Record<string, string> = {}): EventSketch => [
  'message',
  { module: 'governance', sender, ...more },
]
/** The events of the message server of SDK 0.45 and 0.46. */
const legacySubmission = (id: string, sender: string): EventSketch[] => [
  submission(id),
  ...paid(sender),
  deposit(id),
  signed(sender),
  ['submit_proposal', { proposal_type: 'Text' }],
]

const depositMessage = (id: string, depositor: string) => ({
  typeUrl: MsgDeposit.typeUrl,
  value: MsgDeposit.encode({
    proposalId: BigInt(id),
    depositor,
    amount: [{ denom: 'stake', amount: '3' }],
  }).finish(),
})
const legacyDepositMessage = (id: string, depositor: string) => ({
  ...depositMessage(id, depositor),
  typeUrl: LegacyDeposit.typeUrl,
})

const named = (sketch: BlockSketch) =>
  derive(createBlock(10, sketch)).facts.flatMap((fact) => {
    if (fact.kind === 'submitted') return [`${fact.proposalId} by ${fact.proposer}`]
    return fact.kind === 'deposited' ? [`deposit by ${fact.depositor}`] : []
  })

const reasons = (sketch: BlockSketch) =>
  derive(createBlock(10, sketch)).facts.map((fact) => {
    if (fact.kind === 'submitted') return fact.proposerReason
    return fact.kind === 'deposited' ? fact.depositorReason : null
  })

const tx = (...events: EventSketch[]): BlockSketch => ({ txs: [{ events }] })

const CASES: readonly (readonly [string, BlockSketch, readonly string[]])[] = [
  [
    'are the event attributes in SDK 0.50.6 and later',
    tx(submission('7', { proposal_proposer: alice }), deposit('8', { depositor: bob })),
    [`7 by ${alice}`, `deposit by ${bob}`],
  ],
  [
    'are the sender of the governance message behind the deposit: SDK 0.45 and 0.46',
    tx(action('submit_proposal'), ...legacySubmission('7', alice), ...legacySubmission('8', bob)),
    [`7 by ${alice}`, `deposit by ${alice}`, `8 by ${bob}`, `deposit by ${bob}`],
  ],
  [
    'are not taken from the next message of the transaction',
    tx(submission('7'), action('deposit'), ...paid(bob), deposit('7'), signed(bob)),
    ['7 by null', `deposit by ${bob}`],
  ],
  [
    'are the granter in an authz execution and the contract that submits: SDK 0.45 and 0.46',
    tx(
      ['message', { action: '/cosmos.authz.v1beta1.MsgExec', sender: account('grantee') }],
      ...legacySubmission('7', alice),
      action('/cosmwasm.wasm.v1.MsgExecuteContract'),
      ...legacySubmission('8', contract),
    ),
    [`7 by ${alice}`, `deposit by ${alice}`, `8 by ${contract}`, `deposit by ${contract}`],
  ],
  [
    'are governance itself for its own messages: SDK 0.46',
    { end: legacySubmission('9', gov) },
    [`9 by ${gov}`, `deposit by ${gov}`],
  ],
]

describe('the proposer and the depositor', () => {
  it.each(CASES)('%s', (_, sketch, names) => {
    expect(named(sketch)).toEqual(names)
  })

  it('come from the messages if the events name neither: SDK 0.47 to 0.50.5, also inside authz', () => {
    const bytes = encodeTx(
      submitMessage('T', alice),
      execMessage(account('grantee'), depositMessage('7', bob), legacyDepositMessage('8', alice)),
    )
    const events = [submission('9'), deposit('9'), deposit('7'), deposit('8')]
    expect(named({ txs: [{ events, bytes }] })).toEqual([
      `9 by ${alice}`,
      `deposit by ${alice}`,
      `deposit by ${bob}`,
      `deposit by ${alice}`,
    ])
  })

  it.each([
    ['a contract deposits besides', [deposit('7'), deposit('7')], [depositMessage('7', alice)]],
    ['the message is of another proposal', [deposit('7')], [depositMessage('8', alice)]],
    ['a contract or a group did it', [deposit('7')], []],
    [
      'a contract submits besides',
      [submission('7'), deposit('7'), submission('8'), deposit('8')],
      [submitMessage('T', alice)],
    ],
  ])('are null with the reason if %s', (_, events, messages) => {
    const sketch = { txs: [{ events, bytes: encodeTx(...messages) }] }
    expect(named(sketch).every((text) => text.endsWith('by null'))).toBe(true)
    for (const reason of reasons(sketch)) expect(reason).toContain('do not match')
  })

  it('are null with the reason without a transaction', () => {
    const sketch = { end: [submission('7'), deposit('7')] }
    expect(named(sketch)).toEqual(['7 by null', 'deposit by null'])
    for (const reason of reasons(sketch)) expect(reason).toContain('no transaction')
  })
})

describe('a proposal on a chain without proposers in its state', () => {
  const withoutProposer = (status: number) => (state: ChainState) => {
    state.proposals.set('1', { ...proposalAt('1', 2, status), proposer: '' })
  }
  it('has the proposer of its submission, also after every later event', async () => {
    const chain = createMemoryChain()
    chain.add()
    chain.add({ txs: [{ events: legacySubmission('1', alice) }] }, withoutProposer(1))
    const events = [deposit('1'), signed(bob), ['proposal_deposit', { voting_period_start: '1' }]]
    chain.add({ txs: [{ events: events as EventSketch[] }] }, withoutProposer(2))
    chain.add({ end: [endEvent('1', 'proposal_rejected')] }, decide('1', {}, 4))
    const log = await ingestToTip(chain, openMemoryLog())
    const [submitted] = ofType(log, 'rollcall.proposal.submitted.v1')
    expect(submitted?.data.proposal?.proposer).toBe(alice)
    expect(submitted?.data).not.toHaveProperty('proposerReason')
    for (const last of [2, 3, 4]) {
      const until = log.filter(({ height }) => height <= last)
      expect(foldHeights([until]).final('proposals')).toMatchObject([{ proposer: alice }])
    }
  })
})
