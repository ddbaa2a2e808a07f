// What the node of a simulated chain reports of its messages: the vote message of x/gov among others.
import { ListImplementationsResponse } from 'cosmjs-types/cosmos/base/reflection/v1beta1/reflection'
import type { Query } from '../../../../infra/app/chain/query.ts'
import { refusePlainly } from '../../../../infra/app/chain/query.ts'
import type { SimulatedView } from '../state/simulated-view.ts'

export const UPSTREAM_GOV = 'cosmos.gov'

const listImplementations: Query<SimulatedView> = (_data, { state }) => {
  const { reflection, govPackage = UPSTREAM_GOV } = state
  if (!reflection) return refusePlainly('unknown', 'unknown query path')
  const packages = ['cosmos.group', ...(govPackage ? [govPackage] : [])]
  const implementationMessageNames = packages.map((name) => `/${name}.v1.MsgVote`)
  return ListImplementationsResponse.encode({ implementationMessageNames }).finish()
}

export const REFLECTION_QUERIES = {
  '/cosmos.base.reflection.v1beta1.ReflectionService/ListImplementations': listImplementations,
}
