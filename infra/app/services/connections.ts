// Checks the connections of a separate service, and reports missing or wrong settings.
import { checkLogin } from '../../base/clickhouse/check-server.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { configInvalid } from '../../base/runtime/config.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'

export const requireStore = (access: StoreAccess | undefined): StoreAccess => {
  if (access) return access
  throw configInvalid([
    'CLICKHOUSE_URL is not set: separate services need a shared ClickHouse server',
  ])
}

/**
 * Throws `CONFIG_INVALID` if the store rejects the credentials. An unavailable store is retried until it responds;
 * a later rejection goes to the lifecycle, also on standby.
 */
export const requireLogin = async (
  store: Store,
  access: StoreAccess,
  lifecycle: Lifecycle,
): Promise<void> => {
  try {
    return await checkLogin(store, access)
  } catch (error) {
    if (!hasCode(error, 'STORE_UNAVAILABLE')) throw error
  }
  const asking = retry(() => checkLogin(store, access), {
    ...policies.dependency,
    signal: lifecycle.signal,
  })
  asking.catch((error: unknown) => {
    if (!hasCode(error, 'ABORTED')) lifecycle.fail(error)
  })
}
