// The queries of a simulated chain: those of its modules, with what is special about this chain.

import { ListImplementationsResponse } from 'cosmjs-types/cosmos/base/reflection/v1beta1/reflection'
import { QueryProposalRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { GOV_QUERIES } from '../../../../infra/app/chain/gov-queries.ts'
import { type Query, QueryRefusal, refusePlainly } from '../../../../infra/app/chain/query.ts'
import { STAKING_QUERIES } from '../../../../infra/app/chain/staking-queries.ts'
import type { ChainState } from '../state/chain-state.ts'
import type { SimulatedView } from '../state/simulated-view.ts'
import { STORE_QUERIES } from './store.ts'

const UPSTREAM_GOV = 'cosmos.gov'

const listImplementations: Query<SimulatedView> = (_data, { state }) => {
  const { reflection, govPackage = UPSTREAM_GOV } = state
  if (!reflection) return refusePlainly('unknown', 'unknown query path')
  const packages = ['cosmos.group', ...(govPackage ? [govPackage] : [])]
  const implementationMessageNames = packages.map((name) => `/${name}.v1.MsgVote`)
  return ListImplementationsResponse.encode({ implementationMessageNames }).finish()
}

const REFLECTION_QUERIES = {
  '/cosmos.base.reflection.v1beta1.ReflectionService/ListImplementations': listImplementations,
}

/** The response of a module that only some chains have; undefined for any other path. Throws `QueryRefusal`. */
export type Modules = (path: string, data: Uint8Array, state: ChainState) => Uint8Array | undefined

const QUERIES: ReadonlyMap<string, Query<SimulatedView>> = new Map(
  Object.entries({
    ...GOV_QUERIES,
    ...STAKING_QUERIES,
    ...STORE_QUERIES,
    ...REFLECTION_QUERIES,
    '/cosmos.auth.v1beta1.Query/Params': () => new Uint8Array(),
  }),
)

/** In the package of x/gov of the SDK; undefined if this chain has no such module. */
const toUpstreamPath = (path: string, state: ChainState): string | undefined => {
  const { govPackage = UPSTREAM_GOV, lacksStaking } = state
  if (lacksStaking && path.startsWith('/cosmos.staking.')) return undefined
  if (path.startsWith(`/${govPackage}.`)) return path.replace(`${govPackage}`, UPSTREAM_GOV)
  return path.startsWith(`/${UPSTREAM_GOV}.`) ? undefined : path
}

const refuseType = (): never => {
  const type =
    'no concrete type registered for type URL /name.v1.MsgOld against interface *types.Msg'
  throw new QueryRefusal(1, type, 'undefined')
}

/** The node cannot decode a proposal of a type that it does not register. */
const requireRegistered = (path: string, data: Uint8Array, view: SimulatedView): void => {
  const { unregistered } = view.state
  if (!unregistered) return
  if (path.endsWith('gov.v1.Query/Proposals')) refuseType()
  if (!path.endsWith('gov.v1.Query/Proposal')) return
  const { proposalId } = QueryProposalRequest.decode(data)
  if (unregistered.has(`${proposalId}`) && view.state.proposals.has(`${proposalId}`)) refuseType()
}

export const createSimulatedQuery =
  (path: string, modules?: Modules): Query<SimulatedView> =>
  (data, view) => {
    const { state } = view
    const ofModule = modules?.(path, data, state)
    if (ofModule) return ofModule
    const upstream = toUpstreamPath(path, state)
    const isUnlimited =
      state.maxPools === undefined && path.endsWith('staking.v1beta1.Query/Params')
    const query = upstream === undefined || isUnlimited ? undefined : QUERIES.get(upstream)
    if (!query) return refusePlainly('unknown', 'unknown query path')
    requireRegistered(path, data, view)
    return query(data, view)
  }
