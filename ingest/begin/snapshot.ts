// The first append of a log begins with a snapshot of the governance state before the first indexed block: no later event contains it.

import type { Logger } from '../../infra/base/runtime/logger.ts'
import { type Answer, isKnown, valueOrNull } from '../chain/answer.ts'
import { proposalsAt } from '../chain/gov.ts'
import { hasStateAt } from '../chain/module-presence.ts'
import { createStateAt, type StateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { ChainReader, SourcedBlock } from '../comet/endpoints/node.ts'
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../contract/events.ts'
import type { PoolState } from '../contract/facts.ts'
import { isOpen } from '../contract/governance/fact.ts'
import { deriveFacts } from '../derive/derive.ts'
import { eventAt, splitLists } from '../derive/event-at.ts'
import { createRestore, type Tail } from '../heights/governance.ts'
import type { StateNode } from '../heights/height-state.ts'
import { bytesEvents, readContext } from '../proposals/context.ts'
import { type DecodedProposal, decodeProposal } from '../proposals/proposal.ts'
import { roundInState } from '../proposals/vote-round.ts'
import { createModuleState } from '../schema/module-query.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { Reading } from './reading.ts'

type ChainSnapshot = EventOf<'rollcall.chain.snapshot.v1'>
type SnapshotProposal = ChainSnapshot['data']['proposals'][number]
/** With its decoded messages, which the context is read from. */
type Gathering = { item: SnapshotProposal; decoded: DecodedProposal }
type Unavailable = ChainSnapshot['data']['unavailable'][number]
type Gatherer = { node: StateNode; state: StateAt; schemas: SchemaSource }

/**
 * The height before `block`. The first block of a chain has none: then the block's own state, without the
 * results of its events (see `withoutOwnFacts`).
 */
const stateHeightBefore = ({ height, previousHash }: Block): number =>
  previousHash === '' ? height : height - 1

export const NO_PROPOSER = 'this version of the SDK does not store it'

type Gathered = {
  proposals: Gathering[]
  pools: PoolState[]
  params: ChainSnapshot['data']['params']
  unavailable: Unavailable[]
  isPruned: boolean
}

const gather = async (gatherer: Gatherer, { time }: Block): Promise<Gathered> => {
  const { node, state, schemas } = gatherer
  const missing: Unavailable[] = []
  const take = <Value>(what: string, answer: Answer<Value>): Value | null => {
    if (!isKnown(answer)) missing.push({ what, reason: answer.unavailable })
    return valueOrNull(answer)
  }
  const [proposalsAnswer, poolsAnswer, paramsAnswer] = await Promise.all([
    proposalsAt(node, state.height),
    state.pools(),
    state.params(),
  ])
  const listed = take('proposals', proposalsAnswer) ?? { proposals: [], missing: [] }
  for (const each of listed.missing) missing.push(each)
  const pools = take('pools', poolsAnswer) ?? []
  const params = take('parameters', paramsAnswer)
  const proposals: Gathering[] = []
  for (const content of listed.proposals) {
    const { proposal } = content
    const decoded = await decodeProposal(schemas, content.messages)
    const round = roundInState(content, { params, time })
    const reason = proposal.proposer === null ? { proposerReason: NO_PROPOSER } : {}
    proposals.push({ item: { proposal, messages: decoded.messages, ...round, ...reason }, decoded })
  }
  const isPruned = missing.length > 0 && !(await hasStateAt(node, state.height))
  return { proposals, pools, params, unavailable: missing, isPruned }
}

/** The state after the first block includes the proposals of its events, which report them again. */
const withoutOwnFacts = (gathered: Gathered, block: Block): Gathered => {
  const submitted = new Set(
    deriveFacts(block).flatMap((fact) => (fact.kind === 'submitted' ? [fact.proposalId] : [])),
  )
  const proposals = gathered.proposals.filter(
    ({ item }) => !submitted.has(item.proposal.proposalId),
  )
  return { ...gathered, proposals }
}

const HEIGHT_FULL: Unavailable = {
  what: 'a part of the proposals',
  reason: 'they exceed the index of one height',
}

/** Ranges of `sub` at ordinal 0: the number of one kind never shifts the IDs of another. */
const SUB = { snapshot: 0, contexts: 2_048, bytes: 2_304, end: SUB_LIMIT } as const

const snapshotEvents = (block: Block, gathered: Gathered, stateHeight: number): ChainSnapshot[] => {
  const { pools, proposals } = gathered
  const all = splitLists({ pools, proposals: proposals.map(({ item }) => item) })
  // About half a gigabyte: the limit of an event ID.
  const chunks = all.slice(0, SUB.contexts)
  const unavailable =
    chunks.length === all.length ? gathered.unavailable : [...gathered.unavailable, HEIGHT_FULL]
  return chunks.map((lists, chunk) =>
    eventAt(
      block,
      { ordinal: ORDINAL.before, sub: chunk },
      {
        type: 'rollcall.chain.snapshot.v1',
        data: {
          chunk,
          chunks: chunks.length,
          stateHeight,
          ...lists,
          params: chunk === 0 ? gathered.params : null,
          unavailable: chunk === 0 ? unavailable : [],
        },
      },
    ),
  )
}

/** Only for open proposals: the state at the submission of a closed one is unknown. */
const readContexts = async (
  { node, state }: Gatherer,
  block: Block,
  proposals: readonly Gathering[],
): Promise<GovernanceEvent[]> => {
  const modules = createModuleState(node, state.height)
  const events: GovernanceEvent[] = []
  for (const { item, decoded } of proposals) {
    const { proposalId } = item.proposal
    const sub = SUB.contexts + events.length
    if (!isOpen(item.proposal) || sub >= SUB.bytes) continue
    const at = { ordinal: ORDINAL.before, sub }
    events.push(...(await readContext(block, { state: modules, proposalId, decoded }, at)))
  }
  return events
}

export type Snapshot = {
  events: readonly GovernanceEvent[]
  stateHeight: number
  /** True if the endpoints pruned some of the state before it was read. */
  isPruned: boolean
}

/** `block` is the first indexed one: the snapshot comes before its events, at ordinal 0. */
export const takeSnapshot = async (
  node: StateNode,
  block: Block,
  schemas: SchemaSource,
): Promise<Snapshot> => {
  const stateHeight = stateHeightBefore(block)
  const gatherer = { node, state: createStateAt(node, stateHeight), schemas }
  const found = await gather(gatherer, block)
  const gathered = stateHeight === block.height ? withoutOwnFacts(found, block) : found
  const { proposals } = gathered
  const kept = proposals.flatMap(({ item, decoded }) =>
    decoded.kept.map((each) => ({ ...each, proposalId: item.proposal.proposalId })),
  )
  const range = { ordinal: ORDINAL.before, sub: SUB.bytes, end: SUB.end }
  return {
    events: [
      ...snapshotEvents(block, gathered, stateHeight),
      ...(await readContexts(gatherer, block, proposals)),
      ...bytesEvents(block, kept, range),
    ],
    stateHeight,
    isPruned: found.isPruned,
  }
}

type Beginning = {
  node: ChainReader
  schemas: SchemaSource
  tail: Tail
  reading: Reading
  logger: Logger
}

/** Undefined for a snapshot with holes, unless it may have them. */
export const beginLog = async (
  { node, schemas, tail, logger, reading }: Beginning,
  { block }: SourcedBlock,
  mayHaveHoles: boolean,
): Promise<Snapshot | undefined> => {
  reading.report('reading the proposals')
  const snapshot = await takeSnapshot(node, block, schemas)
  reading.report(undefined)
  const { events, stateHeight, isPruned } = snapshot
  const { height } = block
  if (isPruned && !mayHaveHoles) {
    logger.warn({ height }, 'the state was pruned while it was read: begins again at the tip')
    return undefined
  }
  const restore = createRestore(tail)
  for (const event of events) restore(event)
  logger.info({ height, stateHeight, events: events.length }, 'took a snapshot')
  return snapshot
}
