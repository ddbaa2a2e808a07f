// Checks that a log has every fact of every block once and in order, and the facts and tallies of an undisturbed run.
import { expect } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { AbciEvent, Block } from '../../ingest/comet/blocks/block.ts'
import { SUB_LIMIT } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import {
  ingestToTip,
  ofType,
  readEvents,
  withoutLiveReadings,
} from '../support/chain/ingest-run.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'

type Fact = readonly [height: number, ordinal: number, type: string]

const ENDS: ReadonlySet<string> = new Set([
  'proposal_passed',
  'proposal_rejected',
  'proposal_failed',
])

const findAttribute = ({ attributes }: AbciEvent, key: string): string | undefined =>
  attributes.find((attribute) => attribute.key === key)?.value

/** Facts of a block by independent rules; those of ingest support more formats of the same events. */
const toFactNames = (event: AbciEvent): string[] => {
  switch (event.type) {
    case 'submit_proposal':
      return findAttribute(event, 'proposal_id') ? ['proposal.submitted'] : ['voting.started']
    case 'proposal_deposit':
      return ['proposal.deposited']
    case 'proposal_vote':
      return ['vote.cast']
    case 'cancel_proposal':
      return ['proposal.canceled']
    case 'inactive_proposal':
      return ['proposal.dropped']
    case 'active_proposal':
      return ENDS.has(findAttribute(event, 'proposal_result') ?? '')
        ? ['proposal.closed']
        : ['voting.restarted']
    default:
      return []
  }
}

const listBlockFacts = (block: Block): Fact[] =>
  block.events
    .filter(({ txIndex }) => txIndex === null || block.txs[txIndex]?.code === 0)
    .flatMap((event) =>
      toFactNames(event).map((name): Fact => [block.height, event.ordinal, `rollcall.${name}.v1`]),
    )

const FACT = /^rollcall\.(proposal|voting|vote)\.(?!proof)/

/** Events whose proposal state is proved two heights later. */
const PROVED: ReadonlySet<string> = new Set([
  'proposal.submitted',
  'proposal.closed',
  'voting.restarted',
])
/** Proposals that the chain deletes before a proof is possible. */
const DELETED: ReadonlySet<string> = new Set(['proposal.canceled', 'proposal.dropped'])
const PROOF_DELAY = 2

type Proof = readonly [height: number, proposalId: string]

const listBlockProofs = ({ height, events, txs }: Block): Proof[] => {
  const facts = events
    .filter(({ txIndex }) => txIndex === null || txs[txIndex]?.code === 0)
    .flatMap((event) =>
      toFactNames(event).map((name) => ({ name, id: findAttribute(event, 'proposal_id') })),
    )
  const deleted = new Set(facts.filter(({ name }) => DELETED.has(name)).map(({ id }) => id))
  return facts
    .filter(({ name, id }) => PROVED.has(name) && !deleted.has(id))
    .map(({ id = '' }): Proof => [height + PROOF_DELAY, id])
}

const listLogProofs = (events: readonly GovernanceEvent[]): Proof[] =>
  ofType(events, 'rollcall.proposal.proof.v1').map(({ height, data }) => [height, data.proposalId])

const listLogFacts = (events: readonly GovernanceEvent[]): Fact[] =>
  events
    .filter(({ type }) => FACT.test(type))
    .map(({ height, index, type }): Fact => [height, Math.floor(index / SUB_LIMIT), type])

const expectEachOnceInOrder = (events: readonly GovernanceEvent[]) => {
  const positions = events.map(({ height, index }) => height * 2 ** 32 + index)
  expect(positions).toEqual(positions.toSorted((one, other) => one - other))
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
}

/** Every height belongs to exactly one marker. */
const expectNoGap = (events: readonly GovernanceEvent[], { firstHeight, tip }: Range) => {
  const markers = ofType(events, 'rollcall.block.indexed.v1')
  let next = firstHeight
  for (const { height, data } of markers) {
    expect([height, data.from]).toEqual([height, next])
    next = height + 1
  }
  expect(next - 1).toBe(tip)
}

type Range = { firstHeight: number; tip: number }

/** The required content of the log at the end, after any faults. */
export const expectChainFacts = async (log: EventLog, chain: MemoryChain): Promise<void> => {
  const events = await readEvents(log)
  const blocks = chain.blocks()
  expect(listLogFacts(events)).toEqual(blocks.flatMap(listBlockFacts))
  const proofs = blocks.flatMap(listBlockProofs).filter(([height]) => height <= chain.tip)
  expect(listLogProofs(events)).toEqual(proofs)
  expectEachOnceInOrder(events)
  expectNoGap(events, { firstHeight: blocks[0]!.height, tip: chain.tip })
}

export const expectExactLog = async (
  log: EventLog,
  chain: MemoryChain,
  undisturbed: readonly GovernanceEvent[],
): Promise<void> => {
  await expectChainFacts(log, chain)
  expect(withoutLiveReadings(await readEvents(log))).toEqual(withoutLiveReadings(undisturbed))
}

/** The events of an undisturbed run. */
export const undisturbedLog = (chain: MemoryChain): Promise<GovernanceEvent[]> =>
  ingestToTip(chain, openMemoryLog())
