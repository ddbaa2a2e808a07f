// Reads x/gov at a height through `cosmos.gov.v1`, or `v1beta1` if the node is older.
import type { ChainNode } from '../comet/node.ts'
import type { TallyCounts } from '../contract/facts.ts'
import { confirmAbsence } from './absence.ts'
import {
  type Answer,
  isKnown,
  known,
  reasonOrNull,
  unavailable,
  valueOrNull,
  withoutFailure,
} from './answer.ts'
import { MAX_PROPOSAL_IDS, proposalIdsAt, storedProposalAt } from './gov-store.ts'
import * as v1 from './gov-v1.ts'
import * as v1beta1 from './gov-v1beta1.ts'
import { type ProposalContent, statusName } from './proposal-content.ts'
import { ask, askAll, isUnknownMethod } from './query.ts'

type Node = Pick<ChainNode, 'abciQuery' | 'refuse'>

/** Some proposals contain contract code: small pages keep a response small. */
const PROPOSALS_PER_PAGE = 100
const VOTES_PER_PAGE = 1_000

/**
 * Always v1 first: a node may be upgraded while Rollcall runs, and v1beta1 cannot return every proposal. The
 * failure of the node remains in the answer.
 */
export const askEitherEra = async <Value>(
  modern: () => Promise<Answer<Value>>,
  legacy: () => Promise<Answer<Value>>,
): Promise<Answer<Value>> => {
  const answer = await modern()
  return isUnknownMethod(answer) ? await legacy() : answer
}

const eitherEra = async <Value>(
  ...eras: Parameters<typeof askEitherEra<Value>>
): Promise<Answer<Value>> => withoutFailure(await askEitherEra(...eras))

const readAnswer = <From, To>(
  answer: Answer<From>,
  read: (value: From) => To | undefined,
): Answer<To> => {
  if (!isKnown(answer)) return answer
  const value = read(answer.value)
  return value === undefined
    ? unavailable('the response of the node lacks the requested value')
    : known(value)
}

/** The node has the method and refuses the answer, for example because a type is not registered any more. */
const isRefused = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && answer.failure?.kind === 'refused' && !isUnknownMethod(answer)

type ProposalRequest = { proposalId: string; height: number }

/** If the node refuses a proposal, the same from its raw store. The reason of the refusal remains. */
const orStored = async (
  node: Node,
  { proposalId, height }: ProposalRequest,
  { answer, read }: { answer: Answer<ProposalContent>; read(bytes: Uint8Array): ProposalContent },
): Promise<Answer<ProposalContent>> => {
  if (!isRefused(answer)) return answer
  const bytes = await storedProposalAt(node, proposalId, height)
  try {
    const content = bytes && read(bytes)
    return content?.proposal.proposalId === proposalId ? known(content) : answer
  } catch {
    return answer
  }
}

const askProposal = (node: Node, request: ProposalRequest): Promise<Answer<ProposalContent>> => {
  const partial = { height: request.height, proposalId: BigInt(request.proposalId) }
  return askEitherEra(
    async () => {
      const answer = readAnswer(await ask(node, v1.proposalMethod, partial), ({ proposal }) =>
        proposal ? v1.readProposal(proposal) : undefined,
      )
      return orStored(node, request, { answer, read: v1.readStoredProposal })
    },
    async () => {
      const answer = readAnswer(await ask(node, v1beta1.proposalMethod, partial), ({ proposal }) =>
        proposal ? v1beta1.readProposal(proposal) : undefined,
      )
      return orStored(node, request, { answer, read: v1beta1.readStoredProposal })
    },
  )
}

/** Keeps the failure for `isAbsent`. */
export const proposalAt = async (
  node: Node,
  proposalId: string,
  height: number,
): Promise<Answer<ProposalContent>> => {
  const read = (from: Node) => askProposal(from, { proposalId, height })
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
  node: Node,
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
const proposalsOneByOne = async (node: Node, height: number): Promise<ListedProposals> => {
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

const ALL_STATUSES = 0

const listAt = (
  node: Node,
  height: number,
  proposalStatus: number,
): Promise<Answer<ProposalContent[]>> => {
  const request = { height, maxItems: PROPOSALS_PER_PAGE, proposalStatus }
  return askEitherEra(
    async () =>
      readAnswer(await askAll(node, v1.proposalsMethod, request), (all) =>
        all.map(v1.readProposal),
      ),
    async () =>
      readAnswer(await askAll(node, v1beta1.proposalsMethod, request), (all) =>
        all.map(v1beta1.readProposal),
      ),
  )
}

/** For a reason that concerns every proposal. */
const failsAsWhole = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && (answer.failure?.kind === 'pruned' || isUnknownMethod(answer))

/**
 * All proposals, or those of these statuses (the chain's numbers: 1 deposit period, 2 voting period). The SDK
 * refuses the whole list for one stored proposal with a type that it no longer registers.
 */
export const proposalsAt = async (
  node: Node,
  height: number,
  statuses: readonly number[] = [ALL_STATUSES],
): Promise<Answer<ListedProposals>> => {
  const answers = await Promise.all(statuses.map((status) => listAt(node, height, status)))
  const failed = answers.find((answer) => !isKnown(answer))
  if (!failed) {
    return known({ proposals: answers.flatMap((answer) => valueOrNull(answer) ?? []), missing: [] })
  }
  const whole = unavailable(reasonOrNull(failed) ?? '')
  if (failsAsWhole(failed)) return whole
  const { proposals, missing } = await proposalsOneByOne(node, height)
  if (proposals.length === 0 && (missing.length === 0 || missing.includes(LATER))) {
    return whole
  }
  const names = statuses.map(statusName)
  return known({
    proposals: statuses.includes(ALL_STATUSES)
      ? proposals
      : proposals.filter(({ proposal }) => names.includes(proposal.status)),
    missing,
  })
}

const allOrNone = <Item>(items: readonly (Item | undefined)[]): Item[] | undefined => {
  const present = items.filter((item) => item !== undefined)
  return present.length === items.length ? present : undefined
}

/** `onItems` gets the number of votes so far. */
export const votesAt = (
  node: Node,
  { proposalId, height, onItems }: ProposalRequest & { onItems?: (items: number) => void },
): Promise<Answer<v1.StateVote[]>> => {
  const request = { height, maxItems: VOTES_PER_PAGE, proposalId: BigInt(proposalId), onItems }
  return eitherEra(
    async () =>
      readAnswer(await askAll(node, v1.votesMethod, request), (votes) =>
        allOrNone(votes.map(v1.readVote)),
      ),
    async () =>
      readAnswer(await askAll(node, v1beta1.votesMethod, request), (votes) =>
        allOrNone(votes.map(v1beta1.readVote)),
      ),
  )
}

/** During the vote: the node's own count so far. After it: the final tally. */
export const tallyAt = (
  node: Node,
  proposalId: string,
  height: number,
): Promise<Answer<TallyCounts>> => {
  const request = { height, proposalId: BigInt(proposalId) }
  return eitherEra(
    async () =>
      readAnswer(
        await ask(node, v1.tallyMethod, request),
        ({ tally }) => tally && v1.tallyCounts(tally),
      ),
    async () =>
      readAnswer(
        await ask(node, v1beta1.tallyMethod, request),
        ({ tally }) => tally && v1beta1.tallyCounts(tally),
      ),
  )
}
