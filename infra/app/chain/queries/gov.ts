// The gRPC queries of x/gov (cosmos.gov.v1) on the state of one height, with the bytes and error messages of the chain.
import {
  DepositParams,
  Params,
  Proposal,
  TallyParams,
  VotingParams,
} from 'cosmjs-types/cosmos/gov/v1/gov'
import * as gov from 'cosmjs-types/cosmos/gov/v1/query'
import { paginateCollection, readPage, writePage } from '../pagination.ts'
import { bytesField, concat, readBytes, readFields, stringField } from '../raw-message.ts'
import {
  type Entry,
  idAddressKey,
  idKey,
  lengthPrefixed,
  type StateView,
} from '../state/state-view.ts'
import { createQuery, parseAddress, type Queries } from './query.ts'
import { QueryRefusal, refuse } from './refusal.ts'

const STATUS = { deposit: 1, voting: 2, highest: 5 } as const
const FINAL_TALLY_FIELD = 4

function filterAddress(text: string): Uint8Array {
  try {
    return parseAddress(text)
  } catch (error) {
    const reason = error instanceof QueryRefusal ? error.message : String(error)
    return refuse('internal', reason.replace(/: invalid request$/, ''))
  }
}

const requireId = ({ proposalId }: { proposalId: bigint }): bigint =>
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
  const { proposalStatus, voter, depositor, pagination } = request
  // In a filter the chain wraps the error of a bad address again, but only if there is something to filter.
  const has = (family: 'vote' | 'deposit', entry: Entry, address: string) => {
    const key = concat([entry.key, lengthPrefixed(filterAddress(address))])
    return state.get(family, key) !== undefined
  }
  // As on the chain, an unknown status filters nothing.
  const hasStatus = (entry: Entry) =>
    proposalStatus <= 0 ||
    proposalStatus > STATUS.highest ||
    readStatus(entry.value) === proposalStatus
  const include = (entry: Entry) =>
    hasStatus(entry) &&
    (voter === '' || has('vote', entry, voter)) &&
    (depositor === '' || has('deposit', entry, depositor))
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

const vote = createQuery(gov.QueryVoteRequest, (request, state) => {
  const id = requireId(request)
  const { voter } = request
  if (voter === '') refuse('invalid', 'empty voter address')
  const found = state.get('vote', idAddressKey(id, parseAddress(voter)))
  // The chain calls this an invalid argument, not a missing one.
  return bytesField(1, found ?? refuse('invalid', `voter: ${voter} not found for proposal: ${id}`))
})

const deposit = createQuery(gov.QueryDepositRequest, (request, state) => {
  const id = requireId(request)
  const { depositor } = request
  if (depositor === '') refuse('invalid', 'empty depositor address')
  const found = state.get('deposit', idAddressKey(id, parseAddress(depositor)))
  const missing = `collections: not found: key '("${id}", "${depositor}")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit`
  return bytesField(1, found ?? refuse('missing', missing))
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

const constitution = createQuery(gov.QueryConstitutionRequest, (_request, state) =>
  stringField(1, Buffer.from(state.single('gov.constitution')).toString('utf8')),
)

const SERVICE = '/cosmos.gov.v1.Query'
export const GOV_QUERIES: Queries = {
  [`${SERVICE}/Proposal`]: proposal,
  [`${SERVICE}/Proposals`]: proposals,
  [`${SERVICE}/Vote`]: vote,
  [`${SERVICE}/Votes`]: votes,
  [`${SERVICE}/Deposit`]: deposit,
  [`${SERVICE}/Deposits`]: deposits,
  [`${SERVICE}/TallyResult`]: tallyResult,
  [`${SERVICE}/Params`]: params,
  [`${SERVICE}/Constitution`]: constitution,
}
