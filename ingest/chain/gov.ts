// Reads x/gov at a height through `cosmos.gov.v1`, or `v1beta1` if the node is older.
import type { TallyCounts } from '../contract/facts.ts'
import { confirmAbsence } from './absence.ts'
import { type Answer, isKnown, known, unavailable, withoutFailure } from './answer.ts'
import { askEitherEra, type GovNode, type ProposalRequest, type StateVote } from './gov-reader.ts'
import { MAX_PROPOSAL_IDS, proposalIdsAt } from './gov-store.ts'
import type { ProposalContent } from './proposal-content.ts'
import { isUnknownMethod } from './query.ts'

const askProposal = (node: GovNode, request: ProposalRequest): Promise<Answer<ProposalContent>> =>
  askEitherEra((gov) => gov.proposal(node, request))

/** Keeps the failure for `isAbsent`. */
export const proposalAt = async (
  node: GovNode,
  proposalId: string,
  height: number,
): Promise<Answer<ProposalContent>> => {
  const read = (from: GovNode) => askProposal(from, { proposalId, height })
  const what = `proposal ${proposalId} at height ${height}`
  const answer = await confirmAbsence(node, read, { first: await read(node), what })
  return isKnown(answer) || answer.absence ? answer : withoutFailure(answer)
}

export type ListedProposals = {
  proposals: ProposalContent[]
  /** What neither the queries nor the raw store of the node can return. */
  missing: { what: string; reason: string }[]
}

const IDS_AT_ONCE = 100
/** So many IDs in a row without a proposal end the search, unless the store of the node has later IDs. */
const MAX_ID_GAP = 5 * IDS_AT_ONCE

const LATER: ListedProposals['missing'][number] = {
  what: 'proposals with later IDs',
  reason: `the node returns no proposal for ${MAX_ID_GAP} IDs in a row`,
}

/** Reads each of `ids` for itself; those that do not exist are left out. */
const readEach = async (
  node: GovNode,
  { ids, height }: { ids: readonly string[]; height: number },
): Promise<ListedProposals> => {
  const read = async (proposalId: string) => ({
    what: `proposal ${proposalId}`,
    answer: await askProposal(node, { proposalId, height }),
  })
  const listed: ListedProposals = { proposals: [], missing: [] }
  for (const { what, answer } of await Promise.all(ids.map(read))) {
    if (isKnown(answer)) listed.proposals.push(answer.value)
    else if (answer.failure?.kind !== 'not_found') {
      listed.missing.push({ what, reason: answer.unavailable })
    }
  }
  return listed
}

/** Each proposal for itself: one that the node cannot return hides no other one. */
const proposalsOneByOne = async (node: GovNode, height: number): Promise<ListedProposals> => {
  const stored = await proposalIdsAt(node, height)
  const listed: ListedProposals = { proposals: [], missing: [] }
  let gap = 0
  for (let first = 0; first < (stored?.length ?? MAX_PROPOSAL_IDS); first += IDS_AT_ONCE) {
    const ids =
      stored?.slice(first, first + IDS_AT_ONCE) ??
      Array.from({ length: IDS_AT_ONCE }, (_, index) => String(first + index + 1))
    const { proposals, missing } = await readEach(node, { ids, height })
    listed.proposals.push(...proposals)
    listed.missing.push(...missing)
    const isDeleted = stored !== undefined && missing.length === 0
    gap = proposals.length > 0 || isDeleted ? 0 : gap + IDS_AT_ONCE
    if (gap >= MAX_ID_GAP) return { ...listed, missing: [...listed.missing, LATER] }
  }
  return listed
}

/** For a reason that concerns every proposal. */
const failsAsWhole = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && (answer.failure?.kind === 'pruned' || isUnknownMethod(answer))

const ALL_STATUSES = 0
const OPEN_STATUSES = [1, 2]

const listAt = (node: GovNode, height: number, status: number) =>
  askEitherEra((gov) => gov.proposals(node, height, status))

/** All proposals. The SDK refuses the whole list for one stored proposal with a type that it no longer registers. */
export const proposalsAt = async (
  node: GovNode,
  height: number,
): Promise<Answer<ListedProposals>> => {
  const answer = await listAt(node, height, ALL_STATUSES)
  if (isKnown(answer)) return known({ proposals: answer.value, missing: [] })
  const whole = unavailable(answer.unavailable)
  if (failsAsWhole(answer)) return whole
  const listed = await proposalsOneByOne(node, height)
  const { proposals, missing } = listed
  const isNothing = proposals.length === 0 && (missing.length === 0 || missing.includes(LATER))
  return isNothing ? whole : known(listed)
}

/** The list of x/gov: the proposals in their deposit or voting period. Unavailable if the node refuses to list one of them. */
export const openProposalsAt = async (
  node: GovNode,
  height: number,
): Promise<Answer<ProposalContent[]>> => {
  const [deposit, voting] = await Promise.all(
    OPEN_STATUSES.map((status) => listAt(node, height, status)),
  )
  if (!deposit || !isKnown(deposit)) return unavailable(deposit?.unavailable ?? '')
  if (!voting || !isKnown(voting)) return unavailable(voting?.unavailable ?? '')
  return known([...deposit.value, ...voting.value])
}

export const votesAt = async (
  node: GovNode,
  request: ProposalRequest,
): Promise<Answer<StateVote[]>> =>
  withoutFailure(await askEitherEra((gov) => gov.votes(node, request)))

/** During the vote: the node's own count so far. After it: the final tally. */
export const tallyAt = async (
  node: GovNode,
  proposalId: string,
  height: number,
): Promise<Answer<TallyCounts>> =>
  withoutFailure(await askEitherEra((gov) => gov.tally(node, { proposalId, height })))
