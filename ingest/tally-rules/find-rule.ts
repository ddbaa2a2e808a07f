// Finds the rule by which a chain tallies votes at a height: that of one of its modules, or x/gov's own.

import { LRUCache } from 'lru-cache'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { type Answer, isKnown, known } from '../chain/answer.ts'
import { askParams, computesQuorumAt } from '../chain/gov-params.ts'
import { ask, isUnknownMethod } from '../chain/query.ts'
import { poolMethod } from '../chain/staking.ts'
import { RULE_OF_STRATEGY, type TallyRule, type TallyStrategy } from '../contract/tally-rule.ts'
import type { AppliedRule, RuleModule, RuleNode } from './applied-rule.ts'
import { governors, noInheritance } from './governors.ts'
import { liquidStake } from './liquid-stake.ts'
import { provider } from './provider.ts'
import { superfluid } from './superfluid.ts'
import { tieredStake } from './tiered-stake.ts'

/** In the order in which a chain is asked for them. At most one applies at a height; of AtomOne the first. */
const RULE_MODULES: readonly RuleModule[] = [
  governors,
  noInheritance,
  provider,
  superfluid,
  liquidStake,
  tieredStake,
]

const LATEST = { height: 0 }

/** The setting, or what the chain shows. */
export type StrategySetting = TallyStrategy | 'auto'

/** A chain without a module is asked again after so many heights, about ten minutes: an upgrade may add it. */
const ABSENT_HEIGHTS = 100
const MAX_ABSENT = 10_000

/** `node` finds the package of x/gov; `upstream` asks only `cosmos.gov`. */
type Nodes = { node: RuleNode; upstream: RuleNode }

/** Why the rules of x/gov are not those of this chain; undefined if nothing shows it. */
const findOwnRules = async ({ node, upstream }: Nodes): Promise<string | undefined> => {
  const hasParams = isKnown(await askParams(node, LATEST.height))
  if (hasParams && isUnknownMethod(await ask(node, poolMethod, LATEST)))
    return 'it has no x/staking'
  // Upstream has one quorum, which is a parameter.
  const computes = await computesQuorumAt(node, LATEST.height)
  if (isKnown(computes) && computes.value) return 'it computes its quorums'
  const isFork = hasParams && isUnknownMethod(await askParams(upstream, LATEST.height))
  return isFork ? 'its x/gov has a package of its own' : undefined
}

/** The rule in force at a height. Unavailable if the state of the height is. */
export type FindRule = (height: number) => Promise<Answer<AppliedRule>>

/** The rules of one chain, for any node of it. */
export type TallyRules = {
  find(node: RuleNode, height: number): Promise<Answer<AppliedRule>>
}

type Options = Nodes & { setting: StrategySetting; logger: Logger }

export const createTallyRules = ({ setting, logger, ...nodes }: Options): TallyRules => {
  const absent = new LRUCache<string, true>({ max: MAX_ABSENT })
  let own: Promise<TallyRule> | undefined
  let last: TallyRule | undefined
  const report = (rule: TallyRule) => {
    if (rule === last) return
    logger.info({ rule, before: last }, 'found the rule of tallies')
    last = rule
  }
  /** Of a chain without any of the modules: found once. */
  const findOwn = async (): Promise<TallyRule> => {
    const reason = await findOwnRules(nodes)
    if (reason === undefined) return 'gov'
    logger.warn({ reason }, 'this chain tallies votes by its own rules: no tally is recomputed')
    return 'own'
  }
  /** With what its module counts, if the chain has it. */
  const findSet = async (
    strategy: TallyStrategy,
    at: { node: RuleNode; height: number },
  ): Promise<Answer<AppliedRule>> => {
    const name = RULE_OF_STRATEGY[strategy]
    const module = RULE_MODULES.find((each) => each.name === name)
    const found = (await module?.find(at.node, at.height)) ?? known(undefined)
    return isKnown(found) ? known(found.value ?? { name }) : found
  }
  return {
    find: async (node, height) => {
      if (setting !== 'auto') return await findSet(setting, { node, height })
      for (const module of RULE_MODULES) {
        const key = `${module.name}/${Math.floor(height / ABSENT_HEIGHTS)}`
        if (absent.has(key)) continue
        const found = await module.find(node, height)
        if (!isKnown(found)) return found
        if (found.value) {
          report(found.value.name)
          return known(found.value)
        }
        absent.set(key, true)
      }
      own ??= findOwn()
      const name = await own
      report(name)
      return known({ name })
    },
  }
}

/** The node with the rules of its chain, for `createStateAt`. */
export const withTallyRules = <Node extends RuleNode>(
  node: Node,
  rules: TallyRules,
): Node & { findRule: FindRule } => ({ ...node, findRule: (height) => rules.find(node, height) })
