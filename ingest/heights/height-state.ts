// The data for the events of one height: its block, its plan, the state before and after it, and the message schema.

import { createStateAt, type RuledNode, type StateAt } from '../chain/state-at.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { ChainReader } from '../comet/endpoints/node.ts'
import { deriveFacts } from '../derive/derive.ts'
import { createDecodedProposals, type DecodedProposals } from '../proposals/decoded-proposals.ts'
import { createModuleState, type ModuleState } from '../schema/module-query.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { PlannedHeight } from './plan.ts'

export type StateNode = RuledNode & Pick<ChainReader, 'block'>

/** Sources of the inputs of a tally. */
export type ChainStates = {
  plan: Pick<PlannedHeight, 'block' | 'facts'>
  /** Committed state of this height, after its end block. */
  after: StateAt
  /** Committed state of the height before. */
  before: StateAt
}

/** The sources of the tallies of any block, whose facts are not planned. */
export const createStates = (block: Block, stateAt: (height: number) => StateAt): ChainStates => ({
  plan: {
    block,
    facts: deriveFacts(block).map((fact) => ({
      fact,
      round: 0,
      startsVoting: false,
      before: undefined,
      changes: [],
    })),
  },
  after: stateAt(block.height),
  before: stateAt(block.height - 1),
})

export type HeightState = ChainStates & {
  plan: PlannedHeight
  node: StateNode
  /** Queries of any module, after this height. */
  modules: ModuleState
  /** For the proposals that this height submits. */
  proposals: DecodedProposals
}

export const createHeightState = (
  node: StateNode,
  plan: PlannedHeight,
  { schemas, after }: { schemas: SchemaSource; after?: StateAt | undefined },
): HeightState => ({
  node,
  plan,
  after: after ?? createStateAt(node, plan.block.height),
  before: createStateAt(node, plan.block.height - 1),
  modules: createModuleState(node, plan.block.height),
  proposals: createDecodedProposals(schemas),
})
