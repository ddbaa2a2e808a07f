// What a service of its own needs of its surroundings, and what it says where that is not set.
import type { StoreAccess } from '../clickhouse/settings.ts'
import { AppError } from '../runtime/errors.ts'

export const requireStore = (access: StoreAccess | undefined): StoreAccess => {
  if (access) return access
  const message =
    'the configuration is not valid:\n  - CLICKHOUSE_URL is not set: a service of its own needs a ClickHouse that others reach too'
  throw new AppError('CONFIG_INVALID', message, { expose: true })
}
