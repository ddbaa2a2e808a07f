// Finds whether a chain tallies votes by the rules of x/gov. A fork with rules of its own has queries or a package of its own.
import type { Logger } from '../../infra/runtime/logger.ts'
import type { ChainNode } from '../comet/node.ts'
import type { TallyStrategy } from '../contract/facts.ts'
import { isKnown } from './answer.ts'
import { askEitherEra } from './gov.ts'
import { computesQuorumAt } from './gov-params.ts'
import * as v1 from './gov-v1.ts'
import * as v1beta1 from './gov-v1beta1.ts'
import { ask, isUnknownMethod } from './query.ts'

type Node = Pick<ChainNode, 'abciQuery' | 'refuse'>

/** `node` finds the package of x/gov; `upstream` asks only `cosmos.gov`. */
type Nodes = { node: Node; upstream: Node }

const LATEST = { height: 0 }

/** The setting, or what the chain shows. */
export type StrategySetting = TallyStrategy | 'auto'

const askParams = (node: Node) => {
  const request = { ...LATEST, paramsType: 'tallying' }
  return askEitherEra<unknown>(
    () => ask(node, v1.paramsMethod, request),
    () => ask(node, v1beta1.paramsMethod, request),
  )
}

/** Why the rules of x/gov are not those of this chain; undefined if nothing shows it. */
const findOwnRules = async ({ node, upstream }: Nodes): Promise<string | undefined> => {
  // Upstream has one quorum, which is a parameter.
  const computes = await computesQuorumAt(node, LATEST.height)
  if (isKnown(computes) && computes.value) return 'it computes its quorums'
  const isFork = isUnknownMethod(await askParams(upstream)) && isKnown(await askParams(node))
  return isFork ? 'its x/gov has a package of its own' : undefined
}

/** Without a setting, a chain with rules of its own has no recomputed tally: only the tally of the chain is known. */
export const findTallyStrategy = async (
  nodes: Nodes,
  { setting, logger }: { setting: StrategySetting; logger: Logger },
): Promise<TallyStrategy> => {
  if (setting !== 'auto') return setting
  const reason = await findOwnRules(nodes)
  if (reason === undefined) return 'inherit'
  logger.warn({ reason }, 'this chain tallies votes by its own rules: no tally is recomputed')
  return 'none'
}
