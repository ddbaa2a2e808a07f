// The data for the events of one height: its block, its plan, the state before and after it, and the message schema.

import { createStateAt, type RuledNode, type StateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { ChainReader } from '../comet/endpoints/node.ts'
import { deriveFacts } from '../derive/derive.ts'
import type { RawFact } from '../derive/raw-fact.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { PlannedHeight } from './plan.ts'

export type StateNode = RuledNode & Pick<ChainReader, 'block'>

/** Sources of the inputs of a tally. */
export type ChainStates = {
  node: StateNode
  plan: { block: Block; facts: readonly { fact: RawFact }[] }
  /** Committed state of this height, after its end block. */
  after: StateAt
  /** Committed state of the height before. */
  before: StateAt
}

/** The sources of the tallies of any block, whose facts are not planned. */
export function createStates(
  node: StateNode,
  block: Block,
  stateAt = (height: number) => createStateAt(node, height),
): ChainStates {
  return {
    node,
    plan: { block, facts: deriveFacts(block).map((fact) => ({ fact })) },
    after: stateAt(block.height),
    before: stateAt(block.height - 1),
  }
}

export type HeightState = ChainStates & {
  plan: PlannedHeight
  schemas: SchemaSource
}
