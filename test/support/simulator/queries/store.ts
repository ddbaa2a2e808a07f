// The raw store of x/gov, as SDK 0.40 to 0.54 write it.
import { Pairs } from 'cosmjs-types/cosmos/store/internal/kv/v1beta1/kv'
import type { Query } from '../../../../infra/app/chain/query.ts'
import { refusePlainly } from '../../../../infra/app/chain/query.ts'
import { idKey } from '../../../../infra/app/chain/state.ts'
import { proposalKey } from '../../../../infra/base/proof/proposal.ts'
import type { SimulatedView } from '../state/simulated-view.ts'

export const STORE_KEY = '/store/gov/key'

const refusePath = (): never => refusePlainly('unknown', 'unknown query path')

const requireStore: Query<SimulatedView> = (_data, { state }) =>
  state.govPackage === null ? refusePlainly('unknown', 'no such store: gov') : new Uint8Array()

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

const ofStore =
  (query: Query<SimulatedView>): Query<SimulatedView> =>
  (data, view) => {
    requireStore(data, view)
    return query(data, view)
  }

export const STORE_QUERIES = {
  [STORE_KEY]: ofStore(readKey),
  '/store/gov/subspace': ofStore(subspace),
}
