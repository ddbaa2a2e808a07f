// Wraps every read of a store, such as to limit or to count it.
import type { Store } from '../../infra/base/clickhouse/client.ts'

export type AroundRead = <Result>(read: () => Promise<Result>) => Promise<Result>

export const wrapReads = (store: Store, around: AroundRead): Store => ({
  ...store,
  select: (...query) => around(() => store.select(...query)),
  selectBytes: (...query) => around(() => store.selectBytes(...query)),
})
