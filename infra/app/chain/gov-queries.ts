// The gRPC queries of x/gov (cosmos.gov.v1) on the state of one height, with the bytes and error messages of the chain.
import {
  DepositParams,
  Params,
  Proposal,
  TallyParams,
  VotingParams,
} from 'cosmjs-types/cosmos/gov/v1/gov'
import * as gov from 'cosmjs-types/cosmos/gov/v1/query'
import { paginateCollection, readPage, writePage } from './pagination.ts'
import { createQuery, type Queries, refuse } from './query.ts'
import { bytesField, concat, readBytes, readFields, stringField } from './raw-message.ts'
import { type Entry, idKey, type StateView } from './state.ts'

const STATUS = { deposit: 1, voting: 2, highest: 5 } as const
const FINAL_TALLY_FIELD = 4

export const requireId = ({ proposalId }: { proposalId: bigint }): bigint =>
  proposalId === 0n ? refuse('invalid', 'proposal id can not be 0') : proposalId

function requireProposal(request: { proposalId: bigint }, state: StateView) {
  const id = requireId(request)
  const proposal = state.get('proposal', idKey(id))
  return { id, proposal: proposal ?? refuse('missing', `proposal ${id} doesn't exist`) }
}

const readStatus = (proposal: Uint8Array): number => Proposal.decode(proposal).status

const proposal = createQuery(gov.QueryProposalRequest, (request, state) =>
  bytesField(1, requireProposal(request, state).proposal),
)

const proposals = createQuery(gov.QueryProposalsRequest, (request, state) => {
  const { proposalStatus, pagination } = request
  // As on the chain, an unknown status filters nothing.
  const include = (entry: Entry) =>
    proposalStatus <= 0 ||
    proposalStatus > STATUS.highest ||
    readStatus(entry.value) === proposalStatus
  const page = readPage(pagination, state.pageSize)
  return writePage(paginateCollection(state.list('proposal'), page, include))
})

const votes = createQuery(gov.QueryVotesRequest, (request, state) => {
  const page = readPage(request.pagination, state.pageSize)
  return writePage(paginateCollection(state.list('vote', idKey(requireId(request))), page))
})

const deposits = createQuery(gov.QueryDepositsRequest, (request, state) => {
  const page = readPage(request.pagination, state.pageSize)
  return writePage(paginateCollection(state.list('deposit', idKey(requireId(request))), page))
})

const EMPTY_TALLY = concat([1, 2, 3, 4].map((option) => stringField(option, '0')))

const tallyResult = createQuery(gov.QueryTallyResultRequest, (request, state) => {
  const { id, proposal } = requireProposal(request, state)
  const status = readStatus(proposal)
  if (status === STATUS.deposit) return bytesField(1, EMPTY_TALLY)
  if (status === STATUS.voting) return bytesField(1, state.get('tally', idKey(id)) ?? EMPTY_TALLY)
  return bytesField(1, readBytes(readFields(proposal), FINAL_TALLY_FIELD) ?? EMPTY_TALLY)
})

function legacyParams(type: string, stored: Params): Uint8Array {
  const { minDeposit, maxDepositPeriod, votingPeriod, quorum, threshold, vetoThreshold } = stored
  const known: Record<string, () => Uint8Array> = {
    '': () => new Uint8Array(),
    voting: () => {
      const part = VotingParams.fromPartial(votingPeriod ? { votingPeriod } : {})
      return bytesField(1, VotingParams.encode(part).finish())
    },
    deposit: () => {
      const period = maxDepositPeriod ? { maxDepositPeriod } : {}
      const part = DepositParams.fromPartial({ minDeposit, ...period })
      return bytesField(2, DepositParams.encode(part).finish())
    },
    tallying: () => {
      const part = TallyParams.fromPartial({ quorum, threshold, vetoThreshold })
      return bytesField(3, TallyParams.encode(part).finish())
    },
  }
  const write =
    (Object.hasOwn(known, type) ? known[type] : undefined) ??
    (() => refuse('invalid', `unknown params type: ${type}`))
  return write()
}

const params = createQuery(gov.QueryParamsRequest, ({ paramsType }, state) => {
  const stored = state.single('gov.params')
  return concat([legacyParams(paramsType, Params.decode(stored)), bytesField(4, stored)])
})

const SERVICE = '/cosmos.gov.v1.Query'
export const GOV_QUERIES: Queries = {
  [`${SERVICE}/Proposal`]: proposal,
  [`${SERVICE}/Proposals`]: proposals,
  [`${SERVICE}/Votes`]: votes,
  [`${SERVICE}/Deposits`]: deposits,
  [`${SERVICE}/TallyResult`]: tallyResult,
  [`${SERVICE}/Params`]: params,
}
