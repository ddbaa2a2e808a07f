// Reads x/gov at a height through `cosmos.gov.v1`, or `v1beta1` if the node is older. Requests are the same in every version. Reads a
// proposal as x/gov stores it where the node refuses it: the raw store needs no registered message type, unlike the queries.
import { Proposal, type TallyResult, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryProposalRequest,
  QueryProposalResponse,
  QueryProposalsRequest,
  QueryProposalsResponse,
  QueryTallyResultRequest,
  QueryTallyResultResponse,
  QueryVotesRequest,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import { GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { canonicalAddress } from '../contract/address.ts'
import type { TallyCounts, WeightedOption } from '../contract/facts.ts'
import { confirmAbsence } from './absence.ts'
import { type Answer, isKnown, known, unavailable, withoutFailure } from './answer.ts'
import {
  decodeProposal,
  decodeProposals,
  decodeTally,
  decodeVotes,
  type Paged,
} from './gov-legacy.ts'
import {
  listMessageTypes,
  type ProposalContent,
  proposalText,
  statusName,
  toCoins,
  toFinalTally,
  toTallyCounts,
  weightedOptions,
} from './proposal-content.ts'
import { ask, askAll, isUnknownMethod } from './query.ts'
import { rfc3339 } from './time.ts'

type StoreNode = Pick<ChainNode, 'abciQuery'>

/** The next ID, in SDK 0.40 to 0.54: eight bytes, big-endian. */
const NEXT_ID = Uint8Array.of(0x03)
const ID_BYTES = 8

/** More IDs than any chain has. The oldest ones are left out. */
const MAX_PROPOSAL_IDS = 20_000

const readStore = async (
  node: StoreNode,
  key: Uint8Array,
  height: number,
): Promise<Uint8Array | undefined> => {
  const path = `/store/${GOV_STORE}/key`
  const answer = await node.abciQuery({ path, data: key, height })
  return answer.kind === 'value' && answer.value.length > 0 ? answer.value : undefined
}

/** The stored bytes; undefined if there are none, or if the node does not serve its store. */
function storedProposalAt(
  node: StoreNode,
  proposalId: string,
  height: number,
): Promise<Uint8Array | undefined> {
  return readStore(node, proposalKey(BigInt(proposalId)), height)
}

/** True if the node serves a store of x/gov. */
export async function hasGovStore(node: StoreNode, height: number): Promise<boolean> {
  return (await readStore(node, NEXT_ID, height)) !== undefined
}

/** All IDs below the next one, in order. Undefined if the node does not serve it. */
async function proposalIdsAt(node: StoreNode, height: number): Promise<string[] | undefined> {
  const bytes = await readStore(node, NEXT_ID, height)
  const next = bytes?.length === ID_BYTES ? Buffer.from(bytes).readBigUInt64BE() : 0n
  if (next === 0n) return undefined
  const first = next > MAX_PROPOSAL_IDS ? next - BigInt(MAX_PROPOSAL_IDS) : 1n
  return Array.from({ length: Number(next - first) }, (_, index) => String(first + BigInt(index)))
}

export type GovNode = Pick<ChainNode, 'abciQuery' | 'refuse'>
type ProposalRequest = { proposalId: string; height: number }
export type StateVote = { voter: string; options: WeightedOption[]; metadata?: string }

/** Some proposals contain contract code: small pages keep a response small. */
const PROPOSALS_PER_PAGE = 100
const VOTES_PER_PAGE = 1_000

export function govPath(version: string, method: string): string {
  return `/cosmos.gov.${version}.Query/${method}`
}

/** One query in both versions. The decoders of both return messages of v1. */
export const inBothVersions = <Request, Response, More extends object>(
  name: string,
  method: { request: Request } & More,
  decode: Record<'v1' | 'v1beta1', (bytes: Uint8Array) => Response>,
) => {
  const of = (version: 'v1' | 'v1beta1') => ({
    ...method,
    path: govPath(version, name),
    response: { decode: decode[version] },
  })
  return { v1: of('v1'), v1beta1: of('v1beta1') }
}

const singleProposal = inBothVersions(
  'Proposal',
  { request: QueryProposalRequest },
  {
    v1: (bytes): { proposal?: Proposal | undefined } => QueryProposalResponse.decode(bytes),
    v1beta1: (bytes) => ({ proposal: decodeProposals(bytes).proposals[0] }),
  },
)
const proposalList = inBothVersions(
  'Proposals',
  {
    request: QueryProposalsRequest,
    items: (page: Paged<{ proposals: Proposal[] }>): Proposal[] => page.proposals,
  },
  {
    v1: (bytes): Paged<{ proposals: Proposal[] }> => QueryProposalsResponse.decode(bytes),
    v1beta1: decodeProposals,
  },
)
const voteList = inBothVersions(
  'Votes',
  { request: QueryVotesRequest, items: (page: Paged<{ votes: Vote[] }>): Vote[] => page.votes },
  {
    v1: (bytes): Paged<{ votes: Vote[] }> => QueryVotesResponse.decode(bytes),
    v1beta1: decodeVotes,
  },
)
const tallyResult = inBothVersions(
  'TallyResult',
  { request: QueryTallyResultRequest },
  {
    v1: (bytes): { tally?: TallyResult | undefined } => QueryTallyResultResponse.decode(bytes),
    v1beta1: decodeTally,
  },
)

/**
 * Always v1 first: a node may be upgraded while Rollcall runs, and v1beta1 cannot return every proposal. The
 * failure of the node remains in the answer.
 */
export const askEither = async <Method, Value>(
  { v1, v1beta1 }: { v1: Method; v1beta1: Method },
  askOne: (method: Method) => Promise<Answer<Value>>,
): Promise<Answer<Value>> => {
  const answer = await askOne(v1)
  return isUnknownMethod(answer) ? await askOne(v1beta1) : answer
}

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

const readTally = (tally: TallyResult): TallyCounts | undefined =>
  toTallyCounts({
    yes: tally.yesCount,
    abstain: tally.abstainCount,
    no: tally.noCount,
    noWithVeto: tally.noWithVetoCount,
  })

const readProposal = (proposal: Proposal): ProposalContent => {
  const { messages, finalTallyResult } = proposal
  const status = statusName(proposal.status)
  return {
    proposal: {
      proposalId: proposal.id.toString(),
      ...proposalText(proposal, messages),
      metadata: proposal.metadata,
      proposer: canonicalAddress(proposal.proposer) || null,
      ...listMessageTypes(messages),
      status,
      expedited: proposal.expedited,
      failedReason: proposal.failedReason || null,
      submitTime: rfc3339(proposal.submitTime),
      depositEndTime: rfc3339(proposal.depositEndTime),
      votingStartTime: rfc3339(proposal.votingStartTime),
      votingEndTime: rfc3339(proposal.votingEndTime),
      totalDeposit: toCoins(proposal.totalDeposit),
      finalTally: toFinalTally(finalTallyResult && readTally(finalTallyResult), status),
    },
    messages,
  }
}

/** The node has the method and refuses the answer, for example because a type is not registered any more. */
const isRefused = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && answer.failure?.kind === 'refused' && !isUnknownMethod(answer)

/** If the node refuses a proposal, the same from its raw store. Without one, the reason of the refusal remains. */
const askProposal = (node: GovNode, request: ProposalRequest): Promise<Answer<ProposalContent>> =>
  askEither(singleProposal, async (method) => {
    const { proposalId, height } = request
    const response = await ask(node, method, { height, proposalId: BigInt(proposalId) })
    const answer = readAnswer(response, ({ proposal }) => proposal && readProposal(proposal))
    if (!isRefused(answer)) return answer
    const stored = await storedProposalAt(node, proposalId, height)
    const decode = method === singleProposal.v1 ? Proposal.decode : decodeProposal
    try {
      const content = stored && readProposal(decode(stored))
      return content?.proposal.proposalId === proposalId ? known(content) : answer
    } catch {
      return answer
    }
  })

/** Keeps the failure for `isAbsent`. */
export async function proposalAt(
  node: GovNode,
  proposalId: string,
  height: number,
): Promise<Answer<ProposalContent>> {
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

const listAt = (node: GovNode, height: number, proposalStatus: number) =>
  askEither(proposalList, async (method) => {
    const request = { height, maxItems: PROPOSALS_PER_PAGE, proposalStatus }
    return readAnswer(await askAll(node, method, request), (all) => all.map(readProposal))
  })

/** All proposals. The SDK refuses the whole list for one stored proposal with a type that it no longer registers. */
export async function proposalsAt(node: GovNode, height: number): Promise<Answer<ListedProposals>> {
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
export async function openProposalsAt(
  node: GovNode,
  height: number,
): Promise<Answer<ProposalContent[]>> {
  const listed = await Promise.all(OPEN_STATUSES.map((status) => listAt(node, height, status)))
  const failed = listed.find((answer) => !isKnown(answer))
  if (failed) return withoutFailure(failed)
  return known(listed.flatMap((answer) => (isKnown(answer) ? answer.value : [])))
}

/** Undefined if a weight cannot be decoded. */
const readVotes = (votes: readonly Vote[]): StateVote[] | undefined => {
  const read: StateVote[] = []
  for (const { voter, options, metadata } of votes) {
    const weighted = weightedOptions(options)
    if (!weighted) return undefined
    const written = metadata === '' ? {} : { metadata }
    read.push({ voter: canonicalAddress(voter), options: weighted, ...written })
  }
  return read
}

export async function votesAt(
  node: GovNode,
  { proposalId, height }: ProposalRequest,
): Promise<Answer<StateVote[]>> {
  const answer = await askEither(voteList, async (method) => {
    const request = { height, maxItems: VOTES_PER_PAGE, proposalId: BigInt(proposalId) }
    return readAnswer(await askAll(node, method, request), readVotes)
  })
  return withoutFailure(answer)
}

/** During the vote: the node's own count so far. After it: the final tally. */
export async function tallyAt(
  node: GovNode,
  proposalId: string,
  height: number,
): Promise<Answer<TallyCounts>> {
  const answer = await askEither(tallyResult, async (method) => {
    const response = await ask(node, method, { height, proposalId: BigInt(proposalId) })
    return readAnswer(response, ({ tally }) => tally && readTally(tally))
  })
  return withoutFailure(answer)
}
