// Finds who deposited and who submitted: events of SDK 0.45 to 0.50.5 name neither.
import { Value } from 'typebox/value'
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { type Actor, type ActorRules, findActor } from './actor.ts'
import { attribute, hasAnyKey, idAttribute, textAttribute } from './attributes.ts'
import { parseCoins } from './coins.ts'
import { depositsInTx, proposersInTx, type TxDeposit } from './tx-messages.ts'

/** The other event of this type reports the start of voting. */
const isDeposit = (event: AbciEvent): boolean =>
  event.type === 'proposal_deposit' && hasAnyKey(event, ['proposal_id'])

const isSubmission = (event: AbciEvent): boolean =>
  event.type === 'submit_proposal' && hasAnyKey(event, ['proposal_id'])

/** A submission does not contain the ID of its proposal. */
const isSameDeposit = (event: AbciEvent, { proposalId, amount }: TxDeposit): boolean =>
  (proposalId === null || idAttribute(event, 'proposal_id') === proposalId) &&
  Value.Equal(parseCoins(textAttribute(event, 'amount') ?? ''), amount)

const DEPOSITS: ActorRules<TxDeposit> = {
  role: 'depositor',
  act: 'deposit',
  key: 'depositor',
  isAct: isDeposit,
  inTx: depositsInTx,
  isSame: isSameDeposit,
}

const SUBMISSIONS: ActorRules<{ actor: string }> = {
  role: 'proposer',
  act: 'submission',
  key: 'proposal_proposer',
  isAct: isSubmission,
  inTx: proposersInTx,
  isSame: () => true,
}

export const findDepositor = (block: Block, position: number): Actor =>
  findActor(block, position, DEPOSITS)

const MESSAGE_MARKS = ['msg_index', 'authz_msg_index'] as const

const readMarks = ({ attributes }: AbciEvent) =>
  MESSAGE_MARKS.map((mark) => attributes.filter(({ key }) => key === mark))

/** The index of the submission's first deposit, which the same message made; undefined if there is none. */
const firstDeposit = ({ events }: Block, position: number): number | undefined => {
  const submission = events[position]!
  for (let at = position + 1; at < events.length; at++) {
    const event = events[at]!
    const isSameTx = event.txIndex === submission.txIndex && event.phase === submission.phase
    // Each message of a transaction begins with its action.
    if (!isSameTx || isSubmission(event) || attribute(event, 'action')) return undefined
    if (!isDeposit(event)) continue
    const isOwn =
      attribute(event, 'proposal_id') === attribute(submission, 'proposal_id') &&
      Value.Equal(readMarks(event), readMarks(submission))
    return isOwn ? at : undefined
  }
  return undefined
}

/** Each submission includes the proposer's first deposit: SDK 0.45 and 0.46 name the signer after that event. */
export const findProposer = (block: Block, position: number): Actor => {
  const proposer = findActor(block, position, SUBMISSIONS)
  if (proposer.name !== null) return proposer
  const deposit = firstDeposit(block, position)
  if (deposit === undefined) return proposer
  const { name } = findDepositor(block, deposit)
  return name === null ? proposer : { name, reason: null }
}
