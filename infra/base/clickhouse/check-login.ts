// Checks the credentials for ClickHouse: wrong ones are a configuration error, not a reason to wait.
import { AppError, hasCode } from '../runtime/errors.ts'
import type { Store } from './client.ts'
import { type StoreAccess, storeUrls } from './settings.ts'

const REFUSED_LOGIN =
  /AUTHENTICATION_FAILED|Authentication failed|REQUIRED_PASSWORD|WRONG_PASSWORD|UNKNOWN_USER/

export const isRefusedLogin = (message: string): boolean => REFUSED_LOGIN.test(message)

/**
 * Throws `CONFIG_INVALID` if the store rejects the login, and `STORE_UNAVAILABLE` if it does not respond.
 * Ignores any other refusal of the store: later queries report it.
 */
export const checkLogin = async (store: Store, { url, username }: StoreAccess): Promise<void> => {
  try {
    await store.select('SELECT 1 AS one')
  } catch (error) {
    if (!hasCode(error, 'STORE_REFUSED')) throw error
    if (!isRefusedLogin(error.message)) return
    const host = storeUrls(url)
      .map((each) => new URL(each).host)
      .join(', ')
    throw new AppError(
      'CONFIG_INVALID',
      `authentication failed: ClickHouse at ${host} rejects the user "${username}" with this password; set CLICKHOUSE_USERNAME and CLICKHOUSE_PASSWORD`,
      { expose: true },
    )
  }
}
