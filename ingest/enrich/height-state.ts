// What enriching one height may look at: its block, its plan, and the state after it and before it.

import { createStateAt, type StateAt } from '../chain/state-at.ts'
import type { ChainNode } from '../comet/node.ts'
import type { PlannedHeight } from '../plan.ts'

export type HeightState = {
  plan: PlannedHeight
  /** Committed state of this height: after its end block. */
  after: StateAt
  /** Committed state of the height before. */
  before: StateAt
}

export const heightStateOf = (
  node: Pick<ChainNode, 'abciQuery'>,
  plan: PlannedHeight,
): HeightState => ({
  plan,
  after: createStateAt(node, plan.block.height),
  before: createStateAt(node, plan.block.height - 1),
})
