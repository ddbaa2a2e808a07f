// The parts of a synthetic chain: addresses, pools, parameters, proposals, and a height that collects events.
import { toBech32 } from '@cosmjs/encoding'
import { ORDINAL, toIndex } from '../../../ingest/contract/envelope.ts'
import type {
  EventOf,
  GovernanceEvent,
  GovernanceEventType,
} from '../../../ingest/contract/events.ts'
import type { GovParams, PoolState, ProposalState } from '../../../ingest/contract/facts.ts'

const SYNTHETIC_CHAIN_ID = 'synthetic-1'
export const FIRST_HEIGHT = 1_000
const FIRST_TIME_MS = Date.UTC(2026, 0, 1)
const BLOCK_MS = 6_000

/** Mulberry32: a small seeded generator, sufficient for the distribution of votes. */
export const createRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
export type Random = ReturnType<typeof createRandom>

export const addressBytes = (kind: number, number: number): Uint8Array => {
  const bytes = new Uint8Array(20)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, Math.imul(number + 1, 0x9e3779b1))
  view.setUint32(8, kind)
  view.setUint32(16, number)
  return bytes
}

export const createPool = (number: number, random: Random): PoolState => {
  const tokens = String(1_000_000_000 + random(2 ** 30))
  const bytes = addressBytes(1, number)
  return {
    operatorAddress: toBech32('cosmosvaloper', bytes),
    accountAddress: toBech32('cosmos', bytes),
    moniker: `pool ${number}`,
    tokens,
    delegatorShares: `${tokens}.000000000000000000`,
    status: 'bonded',
    jailed: false,
  }
}

export const PARAMS: GovParams = {
  quorum: '0.400000000000000000',
  threshold: '0.500000000000000000',
  vetoThreshold: '0.334000000000000000',
  expeditedThreshold: null,
  votingPeriodSeconds: 1_209_600,
  expeditedVotingPeriodSeconds: null,
  maxDepositPeriodSeconds: 1_209_600,
  minDeposit: [{ denom: 'stake', amount: '500000000' }],
  expeditedMinDeposit: [],
  burnVoteQuorum: false,
  burnVoteVeto: true,
}

export const toBlockTime = (height: number): string =>
  new Date(FIRST_TIME_MS + (height - FIRST_HEIGHT) * BLOCK_MS).toISOString()

/** Collects the events of one height with their positions. */
export const createHeight = (height: number) => {
  const events: GovernanceEvent[] = []
  let ordinal = ORDINAL.firstAbciEvent
  const add = <T extends GovernanceEventType>(
    type: T,
    data: EventOf<T>['data'],
    position: { ordinal?: number; sub?: number; subject?: string } = {},
  ): void => {
    const index = toIndex(position.ordinal ?? ordinal++, position.sub ?? 0)
    const event = {
      specversion: '1.0',
      id: `${SYNTHETIC_CHAIN_ID}/${height}/${index}`,
      source: `/chains/${SYNTHETIC_CHAIN_ID}`,
      ...(position.subject === undefined ? {} : { subject: position.subject }),
      type,
      time: toBlockTime(height),
      datacontenttype: 'application/json',
      height,
      index,
      data,
    }
    events.push(event as unknown as GovernanceEvent)
  }
  return { events, add }
}
export type Height = ReturnType<typeof createHeight>

export const createProposalState = (
  number: number,
  height: number,
  status: string,
): ProposalState => ({
  proposalId: String(number),
  title: `Proposal ${number}: raise the limit & keep the <calm> ⚖`,
  summary: 'What it changes, why now, and what happens if it does not pass. '.repeat(12),
  metadata: '',
  proposer: toBech32('cosmos', addressBytes(3, number)),
  messageTypes: ['/cosmos.gov.v1.MsgExecLegacyContent'],
  status,
  expedited: false,
  failedReason: null,
  submitTime: toBlockTime(height),
  depositEndTime: toBlockTime(height + 1_000),
  votingStartTime: toBlockTime(height),
  votingEndTime: toBlockTime(height + 1_000),
  totalDeposit: [{ denom: 'stake', amount: '500000000' }],
  finalTally: null,
})
