// The gRPC queries of x/gov (cosmos.gov.v1) on recorded state, with the bytes and error messages of the chain.
import { fromBech32 } from '@cosmjs/encoding'
import { DepositParams, Params, TallyParams, VotingParams } from 'cosmjs-types/cosmos/gov/v1/gov'
import { paginateCollection, readPageRequest, writePage } from './pagination.ts'
import {
  bytesField,
  concat,
  type Field,
  readBytes,
  readFields,
  readText,
  readUint,
  stringField,
} from './protobuf.ts'
import { QueryRefusal, refuse, refusePlainly } from './refusal.ts'
import { idAddressKey, idKey } from './state-changes.ts'
import type { Entry, StateAt } from './state-history.ts'

export type Query = (request: readonly Field[], state: StateAt) => Uint8Array

const STATUS = { field: 3, deposit: 1n, voting: 2n, highest: 5n } as const
const FINAL_TALLY_FIELD = 4

export function parseAddress(text: string): Uint8Array {
  try {
    return fromBech32(text).data
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refusePlainly('invalid', `decoding bech32 failed: ${reason}`)
  }
}

function filterAddress(text: string): Uint8Array {
  try {
    return parseAddress(text)
  } catch (error) {
    const reason = error instanceof QueryRefusal ? error.message : String(error)
    return refuse('internal', reason.replace(/: invalid request$/, ''))
  }
}

function requireId(request: readonly Field[]): bigint {
  const id = readUint(request, 1)
  return id === 0n ? refuse('invalid', 'proposal id can not be 0') : id
}

function requireProposal(request: readonly Field[], state: StateAt) {
  const id = requireId(request)
  const proposal = state.get('proposal', idKey(id))
  return { id, proposal: proposal ?? refuse('missing', `proposal ${id} doesn't exist`) }
}

const readStatus = (proposal: Uint8Array): bigint => readUint(readFields(proposal), STATUS.field)

const proposal: Query = (request, state) => bytesField(1, requireProposal(request, state).proposal)

const proposals: Query = (request, state) => {
  const status = readUint(request, 1)
  const voter = readText(request, 2)
  const depositor = readText(request, 3)
  // In a filter the chain wraps the error of a bad address again, but only if there is something to filter.
  const has = (family: 'vote' | 'deposit', entry: Entry, address: string) => {
    const key = concat([entry.key, idAddressKey(0n, filterAddress(address)).subarray(8)])
    return state.get(family, key) !== undefined
  }
  const include = (entry: Entry) =>
    // As on the chain, an unknown status filters nothing.
    (status === 0n || status > STATUS.highest || readStatus(entry.value) === status) &&
    (voter === '' || has('vote', entry, voter)) &&
    (depositor === '' || has('deposit', entry, depositor))
  const page = readPageRequest(request, 4)
  return writePage(paginateCollection(state.list('proposal'), page, include))
}

const votes: Query = (request, state) => {
  const id = requireId(request)
  return writePage(paginateCollection(state.list('vote', idKey(id)), readPageRequest(request, 2)))
}

const deposits: Query = (request, state) => {
  const id = requireId(request)
  return writePage(
    paginateCollection(state.list('deposit', idKey(id)), readPageRequest(request, 2)),
  )
}

const vote: Query = (request, state) => {
  const id = requireId(request)
  const voter = readText(request, 2)
  if (voter === '') refuse('invalid', 'empty voter address')
  const found = state.get('vote', idAddressKey(id, parseAddress(voter)))
  // The chain calls this an invalid argument, not a missing one.
  return bytesField(1, found ?? refuse('invalid', `voter: ${voter} not found for proposal: ${id}`))
}

const deposit: Query = (request, state) => {
  const id = requireId(request)
  const depositor = readText(request, 2)
  if (depositor === '') refuse('invalid', 'empty depositor address')
  const found = state.get('deposit', idAddressKey(id, parseAddress(depositor)))
  const missing = `collections: not found: key '("${id}", "${depositor}")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit`
  return bytesField(1, found ?? refuse('missing', missing))
}

const EMPTY_TALLY = concat([1, 2, 3, 4].map((option) => stringField(option, '0')))

const tallyResult: Query = (request, state) => {
  const { id, proposal } = requireProposal(request, state)
  const status = readStatus(proposal)
  if (status === STATUS.deposit) return bytesField(1, EMPTY_TALLY)
  if (status === STATUS.voting) return bytesField(1, state.get('tally', idKey(id)) ?? EMPTY_TALLY)
  return bytesField(1, readBytes(readFields(proposal), FINAL_TALLY_FIELD) ?? EMPTY_TALLY)
}

function legacyParams(type: string, stored: Params): Buffer[] {
  const { minDeposit, maxDepositPeriod, votingPeriod, quorum, threshold, vetoThreshold } = stored
  const known: Record<string, () => Buffer> = {
    '': () => Buffer.alloc(0),
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
  return [write()]
}

const params: Query = (request, state) => {
  const stored = state.single('gov.params')
  const legacy = legacyParams(readText(request, 1), Params.decode(stored))
  return concat([...legacy, bytesField(4, stored)])
}

const constitution: Query = (_request, state) =>
  stringField(1, Buffer.from(state.single('gov.constitution')).toString('utf8'))

const SERVICE = '/cosmos.gov.v1.Query'
export const GOV_QUERIES: Record<string, Query> = {
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
