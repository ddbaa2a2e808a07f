// The rules of some chains, in the order in which a chain is asked for them.
import type { RuleModule } from './applied-rule.ts'
import { governors } from './governors.ts'
import { liquidStake } from './liquid-stake.ts'
import { noInheritance } from './no-inheritance.ts'
import { provider } from './provider.ts'
import { superfluid } from './superfluid.ts'
import { tieredStake } from './tiered-stake.ts'

/** At most one applies at a height; of AtomOne the first. */
export const RULE_MODULES: readonly RuleModule[] = [
  governors,
  noInheritance,
  provider,
  superfluid,
  liquidStake,
  tieredStake,
]
