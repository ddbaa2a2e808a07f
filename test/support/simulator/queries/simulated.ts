// The queries of a simulated chain: those of its modules, with what is special about this chain.

import { ListImplementationsResponse } from 'cosmjs-types/cosmos/base/reflection/v1beta1/reflection'
import { QueryProposalRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { Pairs } from 'cosmjs-types/cosmos/store/internal/kv/v1beta1/kv'
import { GOV_QUERIES } from '../../../../infra/app/chain/gov-queries.ts'
import { type Query, QueryRefusal, refusePlainly } from '../../../../infra/app/chain/query.ts'
import { STAKING_QUERIES } from '../../../../infra/app/chain/staking-queries.ts'
import { idKey } from '../../../../infra/app/chain/state.ts'
import { proposalKey } from '../../../../infra/base/proof/proposal.ts'
import type { ChainState } from '../state/chain-state.ts'
import type { SimulatedView } from '../state/simulated-view.ts'

const UPSTREAM_GOV = 'cosmos.gov'

const listImplementations: Query<SimulatedView> = (_data, { state }) => {
  const { reflection, govPackage = UPSTREAM_GOV } = state
  if (!reflection) return refusePath()
  const packages = ['cosmos.group', ...(govPackage ? [govPackage] : [])]
  const implementationMessageNames = packages.map((name) => `/${name}.v1.MsgVote`)
  return ListImplementationsResponse.encode({ implementationMessageNames }).finish()
}

const REFLECTION_QUERIES = {
  '/cosmos.base.reflection.v1beta1.ReflectionService/ListImplementations': listImplementations,
}

export const STORE_KEY = '/store/gov/key'

const refusePath = (): never => refusePlainly('unknown', 'unknown query path')

const subspace: Query<SimulatedView> = (_data, view) => {
  if (view.state.store?.subspace === false) return refusePath()
  const pairs = view.list('proposal').map(({ key, value }) => ({
    key: proposalKey(Buffer.from(key).readBigUInt64BE()),
    value,
  }))
  return Pairs.encode({ pairs }).finish()
}

const readKey: Query<SimulatedView> = (data, view) => {
  const { store } = view.state
  const key = Buffer.from(data)
  // The key of the next ID has one byte, that of a proposal one byte and its ID.
  if (key.length === 1) {
    const last = view.list('proposal').at(-1)
    if (store?.nextId === false) return refusePath()
    return idKey(1n + (last ? Buffer.from(last.key).readBigUInt64BE() : 0n))
  }
  if (store?.proposals === false) return refusePath()
  return view.get('proposal', key.subarray(1)) ?? new Uint8Array()
}

/** The raw store of x/gov, as SDK 0.40 to 0.54 write it. */
const ofStore =
  (query: Query<SimulatedView>): Query<SimulatedView> =>
  (data, view) => {
    if (view.state.govPackage === null) refusePlainly('unknown', 'no such store: gov')
    return query(data, view)
  }

const STORE_QUERIES = {
  [STORE_KEY]: ofStore(readKey),
  '/store/gov/subspace': ofStore(subspace),
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
    if (!query) return refusePath()
    requireRegistered(path, data, view)
    return query(data, view)
  }
