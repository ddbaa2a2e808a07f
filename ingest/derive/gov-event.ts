// Decodes one ABCI event of x/gov into facts.
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { canonicalAddress } from '../contract/address.ts'
import type { BlockFact, Outcome } from '../contract/governance/fact.ts'
import { attribute, hasAnyKey, idAttribute, textAttribute } from './attributes.ts'
import { parseCoins } from './coins.ts'
import { findDepositor, findProposer } from './depositor.ts'
import { parseVoteOptions } from './vote-options.ts'
import { findVoter } from './voter.ts'

/** Never throws: invalid data becomes a reason. */
type Reader = (event: AbciEvent, at: { block: Block; position: number }) => BlockFact[] | string

const NO_ID = 'it names no proposal'

const started = (event: AbciEvent): BlockFact[] | string => {
  if (!hasAnyKey(event, ['voting_period_start'])) return []
  // The value is the proposal's id, not a time.
  const proposalId = idAttribute(event, 'voting_period_start')
  return proposalId
    ? [{ kind: 'voting_started', proposalId }]
    : 'voting_period_start is not a proposal ID'
}

const submit: Reader = (event, { block, position }) => {
  const start = started(event)
  if (typeof start === 'string') return start
  if (hasAnyKey(event, ['proposal_id'])) {
    const proposalId = idAttribute(event, 'proposal_id')
    if (!proposalId) return NO_ID
    const { name, reason } = findProposer(block, position)
    const submitted = { proposalId, proposer: name, proposerReason: reason }
    return [{ kind: 'submitted', ...submitted }, ...start]
  }
  // SDK 0.45 emits a second event with the type of the content, with or without a vote.
  return start
}

const deposit: Reader = (event, { block, position }) => {
  const start = started(event)
  if (typeof start === 'string') return start
  if (start.length > 0 && !hasAnyKey(event, ['proposal_id'])) return start
  const proposalId = idAttribute(event, 'proposal_id')
  if (!proposalId) return NO_ID
  const amount = parseCoins(textAttribute(event, 'amount') ?? '')
  if (!amount) return 'its amount cannot be decoded'
  const { name, reason } = findDepositor(block, position)
  const deposited = { proposalId, depositor: name, depositorReason: reason, amount }
  return [{ kind: 'deposited', ...deposited }, ...start]
}

const vote: Reader = (event, { block, position }) => {
  const proposalId = idAttribute(event, 'proposal_id')
  if (!proposalId) return NO_ID
  const options = parseVoteOptions(attribute(event, 'option') ?? '')
  if (!options) return 'its option is in no known format'
  const voter = findVoter(block, position)
  return [{ kind: 'vote_cast', proposalId, ...voter, options, counted: true }]
}

const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  ['proposal_passed', 'passed'],
  ['proposal_rejected', 'rejected'],
  ['proposal_failed', 'failed'],
])

/** The vote continues under regular rules. */
const RESTARTS: ReadonlySet<string> = new Set([
  'expedited_proposal_rejected',
  'optimistic_proposal_rejected',
])

const active: Reader = (event) => {
  const proposalId = idAttribute(event, 'proposal_id')
  if (!proposalId) return NO_ID
  const result = attribute(event, 'proposal_result')
  if (!result) return 'it names no result'
  const log = textAttribute(event, 'proposal_log') ?? null
  if (RESTARTS.has(result)) return [{ kind: 'restarted', proposalId, result, log }]
  const outcome = OUTCOMES.get(result) ?? 'unknown'
  return [{ kind: 'closed', proposalId, outcome, result, log, isTallied: true }]
}

const inactive: Reader = (event) => {
  const proposalId = idAttribute(event, 'proposal_id')
  if (!proposalId) return NO_ID
  const result = attribute(event, 'proposal_result')
  if (!result) return 'it names no result'
  const log = textAttribute(event, 'proposal_log') ?? null
  // SDK 0.50: the stored proposal cannot be decoded. The chain keeps it, as failed.
  if (result === 'proposal_failed') {
    return [{ kind: 'closed', proposalId, outcome: 'failed', result, log, isTallied: false }]
  }
  return [{ kind: 'dropped', proposalId, result }]
}

const cancel: Reader = (event) => {
  const proposalId = idAttribute(event, 'proposal_id')
  const sender = canonicalAddress(attribute(event, 'sender') ?? '') || null
  return proposalId ? [{ kind: 'canceled', proposalId, sender }] : NO_ID
}

const readers: ReadonlyMap<string, Reader> = new Map([
  ['submit_proposal', submit],
  ['proposal_deposit', deposit],
  ['proposal_vote', vote],
  ['active_proposal', active],
  ['inactive_proposal', inactive],
  ['cancel_proposal', cancel],
])

const toUndecodable = (event: AbciEvent, reason: string): BlockFact => ({
  kind: 'undecodable',
  abciType: event.type,
  attributes: event.attributes.map(({ key, value }) => ({ key, value })),
  proposalId:
    idAttribute(event, 'proposal_id') ?? idAttribute(event, 'voting_period_start') ?? null,
  reason: `${event.type}: ${reason}`,
})

/** The event at `position` is one of x/gov. */
export const readGovEvent = (block: Block, position: number): BlockFact[] => {
  const event = block.events[position]!
  const facts = readers.get(event.type)?.(event, { block, position }) ?? []
  return typeof facts === 'string' ? [toUndecodable(event, facts)] : facts
}
