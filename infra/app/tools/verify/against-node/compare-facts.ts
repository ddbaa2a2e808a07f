// Compares the facts from the events of a block with the facts in the log.
import type { Block } from '../../../../../ingest/comet/block.ts'
import { SUB_LIMIT, toIndex } from '../../../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../../../../ingest/contract/events.ts'
import { findAbciType } from '../../../../../ingest/contract/governance/fact.ts'
import { derive } from '../../../../../ingest/derive/derive.ts'
import type { RawFact } from '../../../../../ingest/derive/raw-fact.ts'
import { enrichFact } from '../../../../../ingest/enrich/fact.ts'
import { createHeightState, type StateNode } from '../../../../../ingest/enrich/height-state.ts'
import type { PlannedFact } from '../../../../../ingest/governance/plan.ts'
import type { SchemaSource } from '../../../../../ingest/schema/schema-source.ts'
import { compareData } from './compare-data.ts'
import type { Findings } from './findings.ts'

export type Logged<Event extends GovernanceEvent = GovernanceEvent> = {
  offset: bigint
  event: Event
}

/** Whether the event follows from a single ABCI event, with or without its state. */
const isOfBlock = (event: GovernanceEvent): boolean =>
  event.type === 'rollcall.abci-event.undecodable.v1' || findAbciType(event) !== null

const toRecordPosition = ({ offset, event }: Logged) => ({ offset, height: event.height })

/** The round depends on all earlier heights, so it is taken from the log. */
const toPlannedFact = (fact: RawFact, logged: Logged | undefined): PlannedFact => {
  const data = logged?.event.data
  const round = data && 'round' in data ? data.round : 0
  return { fact, round, startsVoting: false, before: undefined }
}

const compareEvent = (logged: Logged, onChain: GovernanceEvent, findings: Findings): void => {
  const { id, type, subject, height } = logged.event
  const position = toRecordPosition(logged)
  if (type !== onChain.type) {
    findings.report(
      'differs',
      position,
      `${id} is a ${type} in the log, a ${onChain.type} on the chain`,
    )
    return
  }
  if (subject !== onChain.subject) {
    findings.report(
      'differs',
      position,
      `${id} is about ${subject}, on the chain ${onChain.subject}`,
    )
  }
  const { equal, different, notCompared } = compareData(logged.event.data, onChain.data)
  findings.compared.events++
  findings.compared.parts += equal
  for (const difference of different) findings.report('differs', position, `${id}: ${difference}`)
  for (const { part, reason } of notCompared) findings.skip(`${type}: ${part}`, reason, height)
}

const isEvidence = (logged: Logged): logged is Logged<EventOf<'rollcall.tally.evidence.v1'>> =>
  logged.event.type === 'rollcall.tally.evidence.v1'

/** Evidence belongs to the event that ended its round; `tally verify` checks its content. */
const checkEvidence = (
  logged: Logged<EventOf<'rollcall.tally.evidence.v1'>>,
  facts: readonly RawFact[],
  findings: Findings,
): void => {
  const { id, type, index, height, data } = logged.event
  const ordinal = Math.floor(index / SUB_LIMIT)
  const ended = facts.some(
    (fact) =>
      fact.ordinal === ordinal &&
      (fact.kind === 'closed' || fact.kind === 'restarted') &&
      fact.proposalId === data.proposalId,
  )
  if (ended) findings.skip(type, '"rollcall tally verify" recomputes it', height)
  else findings.report('not on the chain', toRecordPosition(logged), `${id}: no vote ended there`)
}

/** A fact that the log does not have is reported at `marker`. */
export const compareFacts = async (
  { node, schemas }: { node: StateNode; schemas: SchemaSource },
  { block, logged, marker }: { block: Block; logged: readonly Logged[]; marker: Logged },
  findings: Findings,
): Promise<void> => {
  const { facts } = derive(block)
  const byIndex = new Map(logged.map((each) => [each.event.index, each]))
  const planned = facts.map((fact) =>
    toPlannedFact(fact, byIndex.get(toIndex(fact.ordinal, fact.sub))),
  )
  const plan = {
    block,
    facts: planned,
    tip: block.height,
    changedVoters: [],
    slashed: false,
    observe: 'nothing' as const,
    observesParams: false,
    openSince: null,
  }
  const state = createHeightState(node, plan, { schemas })
  const onChain = new Set<number>()
  for (const each of planned) {
    const event = await enrichFact(state, each)
    onChain.add(event.index)
    const own = byIndex.get(event.index)
    if (own) compareEvent(own, event, findings)
    else
      findings.report(
        'missing',
        toRecordPosition(marker),
        `the chain has ${event.id}, a ${event.type}`,
      )
  }
  for (const each of logged) {
    const { id, type, index } = each.event
    if (isEvidence(each)) checkEvidence(each, facts, findings)
    if (!isOfBlock(each.event) || onChain.has(index)) continue
    findings.report(
      'not on the chain',
      toRecordPosition(each),
      `${id}, a ${type}, is of no event of the block`,
    )
  }
}
