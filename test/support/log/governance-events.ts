// Builders of governance events for tests: a small chain height by height; a test can override every field.
import type { LogEntry } from '../../../infra/base/log/event-log.ts'
import { encodeEvent } from '../../../ingest/contract/codec.ts'
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import { ORDINAL, toIndex } from '../../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState, ProposalState, TallyCounts } from '../../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../../ingest/contract/round-events.ts'
import { all, CHAIN_ID, params, proposalState, toBlockTime } from './governance-values.ts'

export type EventBuilder = {
  (height: number, ordinal: number): GovernanceEvent
  /** Its ordinal is that of the event before it. */
  follows?: true
}

/** The data of each event: `vote.cast` is `rollcall.vote.cast.v1`. */
type Data = {
  [Event in GovernanceEvent as Event['type'] extends `rollcall.${infer Name}.v1`
    ? Name
    : never]: Event['data']
}
type EventName = keyof Data
type Changes<Name extends EventName> = Partial<Data[Name]>
/** The ordinal of an event that does not say it follows from its order in the height. */
type EventIndex = { ordinal?: number; sub?: number; subject?: string }

const build =
  <Name extends EventName>(
    name: Name,
    dataAt: (height: number) => Data[Name],
    { subject, ordinal: own, sub = 0 }: EventIndex = {},
  ): EventBuilder =>
  (height, ordinal) => {
    const index = toIndex(own ?? ordinal, sub)
    const event = {
      specversion: '1.0',
      id: `${CHAIN_ID}/${height}/${index}`,
      source: `/chains/${CHAIN_ID}`,
      ...(subject === undefined ? {} : { subject }),
      type: `rollcall.${name}.v1`,
      time: toBlockTime(height),
      datacontenttype: 'application/json',
      height,
      index,
      data: dataAt(height),
    }
    return event as unknown as GovernanceEvent
  }

/** An event about one proposal. */
export const about = <Name extends EventName>(
  name: Name,
  proposalId: string,
  dataAt: (height: number) => Omit<Data[Name], 'proposalId'>,
  index: EventIndex = {},
): EventBuilder => {
  const withId = (height: number) => ({ ...dataAt(height), proposalId }) as unknown as Data[Name]
  return build(name, withId, { subject: `proposals/${proposalId}`, ...index })
}

const TX_HASH = 'A'.repeat(64)
/** The state of the chain had the proposal. */
const read = (proposal: ProposalState) => ({ proposal, proposalReason: null })

export const submitted = (proposalId: string, changes: Changes<'proposal.submitted'> = {}) =>
  about('proposal.submitted', proposalId, () => ({
    ...read(proposalState(proposalId)),
    messages: [{ '@type': '/cosmos.gov.v1.MsgExecLegacyContent' }],
    txHash: TX_HASH,
    params: params(),
    ...changes,
  }))

export const deposited = (proposalId: string, changes: Changes<'proposal.deposited'> = {}) =>
  about('proposal.deposited', proposalId, () => ({
    ...read(proposalState(proposalId)),
    depositor: null,
    amount: [],
    txHash: TX_HASH,
    ...changes,
  }))

export const votingState = (
  proposalId: string,
  changes: Partial<ProposalState> = {},
): ProposalState =>
  proposalState(proposalId, {
    status: 'voting_period',
    votingStartTime: toBlockTime(2),
    votingEndTime: toBlockTime(50),
    ...changes,
  })

export const votingStarted = (proposalId: string, changes: Changes<'voting.started'> = {}) =>
  about('voting.started', proposalId, () => ({
    ...read(votingState(proposalId)),
    txHash: TX_HASH,
    ...changes,
  }))

export const vote = (proposalId: string, voter: string, changes: Changes<'vote.cast'> = {}) =>
  about('vote.cast', proposalId, () => ({
    round: 1,
    voter,
    voterReason: null,
    options: all('yes'),
    txHash: TX_HASH,
    counted: true,
    ...changes,
  }))

export const closed = (proposalId: string, changes: Changes<'proposal.closed'> = {}) => {
  const { outcome = 'passed' } = changes
  const finalTally = { yes: '100', abstain: '0', no: '0', noWithVeto: '0' }
  return about('proposal.closed', proposalId, () => ({
    ...read(votingState(proposalId, { status: outcome, finalTally })),
    round: 1,
    log: outcome,
    finalTally,
    unavailableReason: null,
    outcome,
    result: `proposal_${outcome}`,
    ...changes,
  }))
}

export const restarted = (proposalId: string, changes: Changes<'voting.restarted'> = {}) => {
  const finalTally = { yes: '1', abstain: '0', no: '2', noWithVeto: '0' }
  return about('voting.restarted', proposalId, () => ({
    ...read(votingState(proposalId, { expedited: false, finalTally })),
    round: 1,
    log: null,
    finalTally,
    unavailableReason: null,
    result: 'expedited_proposal_rejected',
    ...changes,
  }))
}

type RoundRead = Data['round.read']
type ReadChanges = Partial<RoundRead>

/** The stake of one voter in a reading; one null if the node cannot return it. */
export const stakeOf = (voter: string, ...stake: (Delegation | null)[]): ReadBallot => {
  const delegations = stake.filter((delegation) => delegation !== null)
  if (delegations.length === stake.length) return { voter, delegations }
  return { voter, delegations: null, delegationsReason: 'pruned' }
}

const toReading = (stateHeight: number, changes: ReadChanges) => ({
  round: 1,
  chunk: 0,
  chunks: 1,
  stateHeight,
  final: false,
  allBallots: false,
  allPools: false,
  complete: true,
  incompleteReason: null,
  pools: [],
  ballots: [],
  ...changes,
})

/** One chunk of a reading at the end of a height, with the ballots and pools that it names. */
export const reading = (proposalId: string, changes: ReadChanges = {}, index: EventIndex = {}) =>
  about('round.read', proposalId, (height) => toReading(height, changes), {
    ordinal: ORDINAL.after,
    sub: 1000 + ((8 * Number(proposalId)) % 3000) + (changes.chunk ?? 0),
    ...index,
  })

/** All that a tally counts. */
const WHOLE = { allBallots: true, allPools: true, bondedTokens: '3000' }

/** The state of a vote at the end of a height, with all pools and parameters. */
export const firstReading = (proposalId: string, pools: PoolState[], changes: ReadChanges = {}) =>
  reading(proposalId, { ...WHOLE, params: params(), pools, ...changes })

/** A vote, and a reading with the stake of its voter: one for each height. */
export const voteWith = (
  proposalId: string,
  voter: string,
  delegations: Delegation[] | null,
): EventBuilder[] => {
  const ballots = [stakeOf(voter, ...(delegations ?? [null]))]
  return [vote(proposalId, voter), reading(proposalId, { ballots })]
}

/** One chunk of the inputs of a round's tally, after the event that ended the round. */
export const finalReading = (
  proposalId: string,
  changes: ReadChanges = {},
  index: EventIndex = { sub: 1 },
): EventBuilder =>
  Object.assign(
    about(
      'round.read',
      proposalId,
      (height) => toReading(height, { ...WHOLE, final: true, params: params(), ...changes }),
      index,
    ),
    { follows: true } as const,
  )

export const canceled = (proposalId: string) =>
  about('proposal.canceled', proposalId, () => ({ sender: 'proposer-account', txHash: TX_HASH }))

export const dropped = (proposalId: string) =>
  about('proposal.dropped', proposalId, () => ({ result: 'proposal_dropped' }))

/** The state of the chain has the proposal otherwise than its events. */
export const reconciled = (
  proposalId: string,
  changes: Changes<'proposal.reconciled'> & Pick<Data['proposal.reconciled'], 'finding'>,
) =>
  about('proposal.reconciled', proposalId, () => ({
    ...read(votingState(proposalId)),
    round: 1,
    log: null,
    finalTally: null,
    unavailableReason: null,
    cause: 'periodic' as const,
    result: null,
    closedHeight: null,
    closedTime: null,
    closedReason: null,
    ...changes,
  }))

export const undecodableEvent = (proposalId: string | null) =>
  build('abci-event.undecodable', () => ({
    abciType: 'proposal_vote',
    attributes: [],
    proposalId,
    txHash: null,
    reason: 'no such option format',
  }))

export const snapshot = (changes: Changes<'chain.snapshot'> = {}) =>
  build(
    'chain.snapshot',
    (height) => ({
      chunk: 0,
      chunks: 1,
      stateHeight: height - 1,
      proposals: [],
      pools: [],
      params: params(),
      unavailable: [],
      ...changes,
    }),
    { ordinal: ORDINAL.before, sub: 0 },
  )

/** The votes of an open proposal in the state before the first height. */
export const snapshotReading = (proposalId: string, changes: ReadChanges) =>
  about(
    'round.read',
    proposalId,
    (height) => toReading(height - 1, { ...WHOLE, params: params(), ...changes }),
    { ordinal: ORDINAL.before, sub: 100 + Number(proposalId) },
  )

/** Of a vote of one round that had ended at `closedHeight`, before the first indexed height. */
export const reconstructed = (proposalId: string, closedHeight: number, finalTally: TallyCounts) =>
  about(
    'vote.reconstructed',
    proposalId,
    () => ({
      proposal: votingState(proposalId, { status: 'passed', finalTally }),
      messages: [],
      round: 1,
      isLast: true,
      finalTally,
      unavailableReason: null,
      closedHeight,
      closedTime: toBlockTime(closedHeight),
      submitted: null,
      votes: 'some' as const,
      votesReason: 'votes are not searched',
    }),
    { ordinal: ORDINAL.history },
  )

const VALIDATORS_HASH = 'AB'.repeat(32)
export const NO_ANSWER = 'no endpoint gave a valid proof'

/** The light block of the height before its position; without a header if `changes` has a reason. */
export const lightBlock = (changes: Changes<'light-block.observed'> = {}) =>
  build(
    'light-block.observed',
    (at) => {
      const { blockHeight = at - 1, reason = null } = changes
      const height = `${blockHeight}`
      return {
        blockHeight,
        hash: blockHeight.toString(16).toUpperCase().padStart(64, 'C'),
        header: reason === null ? { height, time: toBlockTime(blockHeight) } : null,
        commit: reason === null ? { height, round: 0, signatures: [] } : null,
        validatorsHash: reason === null ? VALIDATORS_HASH : null,
        reason,
        ...changes,
      }
    },
    { ordinal: ORDINAL.before },
  )

const VALIDATOR = {
  address: '0A'.repeat(20),
  pub_key: { type: 'tendermint/PubKeyEd25519', value: 'AAAA' },
  voting_power: '10',
}

export const validators = (changes: Changes<'validators.observed'> = {}) =>
  build(
    'validators.observed',
    () => ({ hash: VALIDATORS_HASH, validators: [VALIDATOR], ...changes }),
    { ordinal: ORDINAL.before, sub: 1 },
  )

const PROOF_OPS = [{ type: 'ics23:iavl', key: 'AAE=', data: 'CgE=' }]

/** `sub` distinguishes the chunks and proposals of one height. Without a value if `changes` has a reason. */
export const proposalProof = (proposalId: string, changes: Changes<'proposal.proof'>, sub = 2) =>
  about(
    'proposal.proof',
    proposalId,
    (height) => ({
      chunk: 0,
      chunks: 1,
      round: 0,
      stateHeight: height - 2,
      store: 'gov' as const,
      key: '000000000000000001',
      value: changes.reason ? null : 'CAE=',
      proofOps: changes.reason ? null : PROOF_OPS,
      reason: null,
      ...changes,
    }),
    { ordinal: ORDINAL.before, sub },
  )

const marker = (openSince: number | null) =>
  build(
    'block.indexed',
    (height) => ({
      from: height,
      hash: `hash-${height}`,
      previousHash: `hash-${height - 1}`,
      events: 0,
      tip: height,
      openSince,
    }),
    { ordinal: ORDINAL.marker },
  )

/** The events of one height in the given order, with its marker last. */
export const createHeightEvents = (
  height: number,
  events: readonly EventBuilder[],
  openSince: number | null = null,
): GovernanceEvent[] => {
  let ordinal = 0
  return [...events, marker(openSince)]
    .map((build) => build(height, build.follows ? ordinal : ++ordinal))
    .sort((one, other) => one.index - other.index)
}

export const toLogEntry = (event: GovernanceEvent): LogEntry => ({
  height: event.height,
  timeMs: Date.parse(event.time),
  value: encodeEvent(event),
})
