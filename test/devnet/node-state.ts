// Reads the state of a node at a height with generated decoders, as the reference for Rollcall's responses. Height 0 is the latest.
import type { EncodeObject } from '@cosmjs/proto-signing'
import { Params as GovParams, type TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryParamsRequest as GovParamsRequest,
  QueryParamsResponse as GovParamsResponse,
  QueryProposalRequest,
  QueryProposalResponse,
  QueryProposalsRequest,
  QueryProposalsResponse,
  QueryTallyResultRequest,
  QueryTallyResultResponse,
  QueryVotesRequest,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import { MsgUpdateParams as GovUpdateParams } from 'cosmjs-types/cosmos/gov/v1/tx'
import {
  QueryPoolResponse,
  QueryValidatorsRequest,
  QueryValidatorsResponse,
  QueryParamsResponse as StakingParamsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import {
  BondStatus,
  type Params as StakingParams,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { MsgUpdateParams as StakingUpdateParams } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import type { ChainPool } from '../support/chain/live-tallies.ts'
import { moduleAddress } from './accounts.ts'
import type { ChainSpec } from './genesis.ts'
import { createMessage } from './messages.ts'
import type { RawRpc } from './rpc.ts'

const STAKING = '/cosmos.staking.v1beta1.Query'
const NOT_FOUND = 22
const NOTHING = new Uint8Array()
const EVERYTHING = { key: NOTHING, offset: 0n, limit: 100_000n, countTotal: false, reverse: false }

/** By their numbers; the last one is AtomOne's. */
const STATUSES = [
  'unspecified',
  'deposit_period',
  'voting_period',
  'passed',
  'rejected',
  'failed',
  'vetoed',
]

const BOND_STATUSES: Readonly<Partial<Record<BondStatus, ChainPool['status']>>> = {
  [BondStatus.BOND_STATUS_UNBONDING]: 'unbonding',
  [BondStatus.BOND_STATUS_BONDED]: 'bonded',
}

export type Counts = { yes: string; no: string; abstain: string; noWithVeto: string }

/** A chain without a veto has no count of it, which is as if it were zero. */
const toCounts = (tally: TallyResult | undefined): Counts => ({
  yes: tally?.yesCount || '0',
  no: tally?.noCount || '0',
  abstain: tally?.abstainCount || '0',
  noWithVeto: tally?.noWithVetoCount || '0',
})

const toMillis = (time: Timestamp | undefined): number | null =>
  time ? Number(time.seconds) * 1_000 + Math.floor(time.nanos / 1e6) : null

export const createNodeState = (rpc: RawRpc, { addressPrefix, gov = 'cosmos' }: ChainSpec) => {
  const service = `/${gov}.gov.v1.Query`
  const authority = moduleAddress('gov', addressPrefix)

  return {
    /** Undefined if the chain does not have it at that height. */
    async proposal(proposalId: bigint, height: number) {
      const request = QueryProposalRequest.encode({ proposalId }).finish()
      const path = `${service}/Proposal`
      if ((await rpc.abciQuery(path, request, height)).code === NOT_FOUND) return undefined
      const { proposal } = QueryProposalResponse.decode(await rpc.query(path, request, height))
      if (!proposal) return undefined
      return {
        status: STATUSES[proposal.status],
        title: proposal.title,
        summary: proposal.summary,
        metadata: proposal.metadata,
        proposer: proposal.proposer,
        expedited: proposal.expedited,
        failedReason: proposal.failedReason,
        totalDeposit: proposal.totalDeposit,
        submitTime: toMillis(proposal.submitTime),
        depositEndTime: toMillis(proposal.depositEndTime),
        votingStartTime: toMillis(proposal.votingStartTime),
        votingEndTime: toMillis(proposal.votingEndTime),
        finalTally: toCounts(proposal.finalTallyResult),
      }
    },
    /** What the node would count at this height. */
    async tally(id: bigint | string, height: number): Promise<Counts> {
      const request = QueryTallyResultRequest.encode({ proposalId: BigInt(id) }).finish()
      const bytes = await rpc.query(`${service}/TallyResult`, request, height)
      return toCounts(QueryTallyResultResponse.decode(bytes).tally)
    },
    async votes(proposalId: bigint, height: number) {
      const request = QueryVotesRequest.encode({ proposalId, pagination: EVERYTHING }).finish()
      return QueryVotesResponse.decode(await rpc.query(`${service}/Votes`, request, height)).votes
    },
    async pools(height: number): Promise<ChainPool[]> {
      const request = QueryValidatorsRequest.encode({ status: '', pagination: EVERYTHING }).finish()
      const bytes = await rpc.query(`${STAKING}/Validators`, request, height)
      return QueryValidatorsResponse.decode(bytes).validators.map(
        ({ operatorAddress, tokens, jailed, status }) => {
          return { operatorAddress, tokens, jailed, status: BOND_STATUSES[status] ?? 'unbonded' }
        },
      )
    },
    /** The balance of the pool of bonded stake. */
    async bondedTokens(height: number): Promise<string> {
      const bytes = await rpc.query(`${STAKING}/Pool`, NOTHING, height)
      return QueryPoolResponse.decode(bytes).pool?.bondedTokens ?? '0'
    },
    /** The proposal that x/gov itself submitted. */
    async ownProposal(): Promise<bigint> {
      const value = QueryProposalsRequest.fromPartial({ pagination: EVERYTHING })
      const request = QueryProposalsRequest.encode(value).finish()
      const bytes = await rpc.query(`${service}/Proposals`, request, 0)
      const { proposals } = QueryProposalsResponse.decode(bytes)
      const own = proposals.find(({ proposer }) => proposer === authority)
      if (!own) throw new Error('governance submitted nothing')
      return own.id
    },
    /** The message of a proposal that changes some parameters of x/gov. */
    async updateGov(change: Partial<GovParams>): Promise<EncodeObject> {
      const request = GovParamsRequest.encode({ paramsType: '' }).finish()
      const bytes = await rpc.query(`${service}/Params`, request, 0)
      const { params } = GovParamsResponse.decode(bytes)
      const changed = GovParams.fromPartial({ ...params, ...change } as GovParams)
      return createMessage(GovUpdateParams, { authority, params: changed })
    },
    async updateStaking(change: Partial<StakingParams>): Promise<EncodeObject> {
      const bytes = await rpc.query(`${STAKING}/Params`, NOTHING, 0)
      const params = { ...StakingParamsResponse.decode(bytes).params, ...change } as StakingParams
      return createMessage(StakingUpdateParams, { authority, params })
    },
  }
}

export type NodeState = ReturnType<typeof createNodeState>
