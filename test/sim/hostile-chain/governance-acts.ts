// Random governance actions: proposals of every size, votes in all supported ways, deposits and cancellations.
import { MsgUpdateClient } from 'cosmjs-types/ibc/core/client/v1/tx'
import { Header } from 'cosmjs-types/ibc/lightclients/tendermint/v1/tendermint'
import { CommitSig } from 'cosmjs-types/tendermint/types/types'
import type { EventSketch } from '../../support/simulator/blocks.ts'
import {
  createProposal,
  deleteProposal,
  MIN_DEPOSIT,
  type SimProposal,
  startVoting,
  vote,
} from '../../support/simulator/keepers/governance.ts'
import { delegate } from '../../support/simulator/keepers/staking.ts'
import type { WeightedVote } from '../../support/simulator/keepers/tally.ts'
import {
  cancelMessage,
  createSubmitMessage,
  createVoteMessage,
  delegateEvents,
  depositMessage,
  type Message,
  votedByGrantee,
  voteEvent,
} from '../../support/simulator/messages.ts'
import type { Rolls } from '../dice.ts'
import { ABSURD_TEXTS } from './absurd.ts'
import type { Profile, World } from './profile.ts'

/** Whether the block has changed the shares of this pool. */
export type IsTouched = (validator: string) => boolean

const MOST_OPEN = 4
/** Governance's own account: it votes and delegates by the messages of proposals that passed. */
export const GOVERNANCE_ACCOUNT = 'gov'

const only = (option: number): WeightedVote => [{ option, weight: '1.000000000000000000' }]

const VOTES: readonly WeightedVote[] = [
  ...[1, 1, 1, 2, 3, 3, 4].map(only),
  [
    { option: 1, weight: '0.333333333333333333' },
    { option: 3, weight: '0.666666666666666667' },
  ],
  [
    { option: 1, weight: '0.5' },
    { option: 2, weight: '0.5' },
  ],
  [
    { option: 4, weight: '0.000000000000000001' },
    { option: 1, weight: '0.999999999999999999' },
  ],
  [1, 2, 3, 4].map((option) => ({ option, weight: '0.250000000000000000' })),
  // Options of a chain with more options than x/gov.
  only(5),
]

/** A light client header with this many empty signatures in its commit: two bytes each. */
const giantMessage = (signatures: number) => {
  const commit = { signatures: Array.from({ length: signatures }, () => CommitSig.fromPartial({})) }
  const header = Header.fromPartial({ signedHeader: { commit } })
  const clientMessage = { typeUrl: Header.typeUrl, value: Header.encode(header).finish() }
  const message = MsgUpdateClient.fromPartial({ clientId: '07-tendermint-0', clientMessage })
  return { typeUrl: MsgUpdateClient.typeUrl, value: MsgUpdateClient.encode(message).finish() }
}

const DEEDS = [
  'votes on itself',
  'votes on another',
  'delegates',
  'bonds fewer validators',
  'bonds more validators',
] as const

export const createGovernanceActs = (
  { staking, governance, delegators }: World,
  { rolls, profile }: { rolls: Rolls; profile: Profile },
) => {
  let lastId = 0
  let giantLeft = profile.giantSignatures
  const validators = () => [...staking.validators.keys()]
  const anyone = () => (rolls.happens(45) ? rolls.pick(validators()) : rolls.pick(delegators))
  const withStatus = (status: SimProposal['status']) =>
    [...governance.proposals.values()].filter((proposal) => proposal.status === status)
  const pickOne = <Item>(items: readonly Item[]) =>
    items.length > 0 ? rolls.pick(items) : undefined

  const createMessages = (): SimProposal['messages'] => {
    if (giantLeft > 0) {
      const signatures = giantLeft
      giantLeft = 0
      return [giantMessage(signatures)]
    }
    if (rolls.happens(60)) return []
    const value = Buffer.from(rolls.pick(ABSURD_TEXTS))
    return [{ typeUrl: rolls.pick(['/cosmos.gov.v1.MsgVote', ...ABSURD_TEXTS]), value }]
  }
  const submit = (height: number): Message[] => {
    if (withStatus('voting').length + withStatus('deposit').length >= MOST_OPEN) return castOne()
    const startsVoting = rolls.happens(75)
    const proposal = createProposal({
      id: String(++lastId),
      proposer: anyone(),
      title: rolls.pick(ABSURD_TEXTS),
      summary: rolls.pick(ABSURD_TEXTS),
      messages: createMessages(),
      deeds: DEEDS.filter(() => rolls.happens(20)),
      submittedAt: height,
      expedited: rolls.happens(35),
      deposit: startsVoting ? MIN_DEPOSIT : 3n,
    })
    governance.proposals.set(proposal.id, proposal)
    if (startsVoting) startVoting(proposal, height)
    return [createSubmitMessage(proposal, { startsVoting })]
  }
  const ballot = () => {
    const proposal = pickOne(withStatus('voting'))
    return proposal && { id: proposal.id, voter: anyone(), options: rolls.pick(VOTES) }
  }
  const castOne = (): Message[] => {
    const cast = ballot()
    if (!cast || !vote(governance, cast)) return []
    const { id, voter, options } = cast
    return rolls.happens(20)
      ? [votedByGrantee(anyone(), cast)]
      : [createVoteMessage(id, voter, options)]
  }
  /** Several votes of several voters in one transaction; the last one of each counts. */
  const cast = (): Message[] => Array.from({ length: 1 + rolls.below(3) }, castOne).flat()
  const deposit = (height: number): Message[] => {
    const proposal = pickOne(withStatus('deposit'))
    if (!proposal) return cast()
    proposal.deposit += MIN_DEPOSIT
    startVoting(proposal, height)
    return [depositMessage(proposal.id, rolls.pick(delegators), MIN_DEPOSIT)]
  }
  const cancel = (): Message[] => {
    const proposal = pickOne([...withStatus('deposit'), ...withStatus('voting')])
    if (!proposal) return []
    deleteProposal(governance, proposal.id)
    return [cancelMessage(proposal.id, proposal.proposer)]
  }
  const voteByGovernance = (id: string | undefined): EventSketch[] => {
    const options = rolls.pick(VOTES)
    const voter = GOVERNANCE_ACCOUNT
    return id && vote(governance, { id, voter, options }) ? [voteEvent(id, voter, options)] : []
  }
  /**
   * Excludes pools that this block has already changed. Their state at the tally would differ from the heights
   * before and after, and no query returns it.
   */
  const delegateByGovernance = (isTouched: IsTouched): EventSketch[] => {
    const validator = pickOne(validators().filter((name) => !isTouched(name)))
    if (validator === undefined) return []
    const tokens = 1_234_567n * BigInt(1 + rolls.below(10_000))
    const isDone = delegate(staking, { delegator: GOVERNANCE_ACCOUNT, validator, tokens })
    return isDone === undefined ? [] : delegateEvents(GOVERNANCE_ACCOUNT, validator, tokens)
  }

  return {
    act: (height: number): Message[] => {
      const rolled = rolls.below(100)
      if (rolled < 22) return submit(height)
      if (rolled < 30) return deposit(height)
      if (rolled < 33) return cancel()
      return cast()
    },
    openVote: () => pickOne(withStatus('voting'))?.id,
    /** A vote in a failed transaction. */
    pretend: (): Message | undefined => {
      const pretended = ballot()
      return pretended && createVoteMessage(pretended.id, pretended.voter, pretended.options)
    },
    /** The messages of a proposal that has passed, after its tally. */
    carryOut: ({ id, deeds }: SimProposal, isTouched: IsTouched): EventSketch[] =>
      deeds.flatMap((deed) => {
        if (deed === 'votes on itself') return voteByGovernance(id)
        if (deed === 'delegates') return delegateByGovernance(isTouched)
        // No event reports it.
        if (deed === 'bonds fewer validators' && staking.maxValidators > 1)
          staking.maxValidators -= 1
        if (deed === 'bonds more validators') staking.maxValidators += 1
        if (deed !== 'votes on another') return []
        const others = withStatus('voting').filter((other) => other.id !== id)
        return voteByGovernance(pickOne(others)?.id)
      }),
  }
}
