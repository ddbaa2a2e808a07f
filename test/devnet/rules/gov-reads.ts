// Reads proposals and tallies of a chain under the name that its x/gov has.
import { ProposalStatus } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryProposalRequest,
  QueryProposalResponse,
  QueryTallyResultRequest,
  QueryTallyResultResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import { QueryPoolRequest, QueryPoolResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { RawRpc } from '../rpc.ts'
import type { Rule } from './rules-chain.ts'

/** A status of AtomOne that Cosmos SDK does not have. */
const VETOED = 6

export type ChainTally = { yes: string; no: string; abstain: string; noWithVeto: string }
export type ChainProposal = { status: string; tally: ChainTally; votingEndMs: number }

const servicePath = (rule: Rule, method: string): string =>
  `/${rule === 'governors' || rule === 'alone' ? 'atomone' : 'cosmos'}.gov.v1.Query/${method}`

type Counts = {
  yesCount: string
  noCount: string
  abstainCount: string
  noWithVetoCount: string
}
/** A chain without a veto has no count of it. */
const toTally = (counts: Counts | undefined): ChainTally => ({
  yes: counts?.yesCount ?? '',
  no: counts?.noCount ?? '',
  abstain: counts?.abstainCount ?? '',
  noWithVeto: counts?.noWithVetoCount ?? '',
})

export async function readProposal(
  rpc: RawRpc,
  rule: Rule,
  proposalId: bigint,
  height: number,
): Promise<ChainProposal> {
  const request = QueryProposalRequest.encode({ proposalId }).finish()
  const bytes = await rpc.query(servicePath(rule, 'Proposal'), request, height)
  const { proposal } = QueryProposalResponse.decode(bytes)
  const status = proposal?.status as number
  const name = ProposalStatus[status] ?? ''
  const { seconds = 0n, nanos = 0 } = proposal?.votingEndTime ?? {}
  return {
    status: status === VETOED ? 'vetoed' : name.replace('PROPOSAL_STATUS_', '').toLowerCase(),
    tally: toTally(proposal?.finalTallyResult),
    votingEndMs: Number(seconds) * 1_000 + nanos / 1_000_000,
  }
}

/** What the node would count at this height. */
export async function readTally(
  rpc: RawRpc,
  rule: Rule,
  proposalId: bigint,
  height: number,
): Promise<ChainTally> {
  const request = QueryTallyResultRequest.encode({ proposalId }).finish()
  const bytes = await rpc.query(servicePath(rule, 'TallyResult'), request, height)
  return toTally(QueryTallyResultResponse.decode(bytes).tally)
}

/** The balance of the pool of bonded stake. */
export async function readBondedTokens(rpc: RawRpc, height: number): Promise<bigint> {
  const request = QueryPoolRequest.encode({}).finish()
  const bytes = await rpc.query('/cosmos.staking.v1beta1.Query/Pool', request, height)
  return BigInt(QueryPoolResponse.decode(bytes).pool?.bondedTokens ?? '0')
}
