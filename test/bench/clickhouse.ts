// Starts a ClickHouse in a temporary directory. It never uses CLICKHOUSE_URL, because benchmarks drop tables.
import { join } from 'node:path'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../../infra/base/clickhouse/embedded-server.ts'
import { createLogger } from '../../infra/base/runtime/logger.ts'
import type { Scope } from './scope.ts'

export const startClickHouse = async (scope: Scope) => {
  const engine = await startEmbeddedClickHouse({
    dataDir: join(scope.directory('clickhouse'), 'data'),
    password: crypto.randomUUID(),
    logger: createLogger({ service: 'bench', level: 'silent' }),
  })
  scope.onEnd(engine.close)
  const { url, username, password } = engine
  const access = { url, username, password }
  const store = createStore(access)
  scope.onEnd(store.close)
  return { access, store, pid: engine.pid }
}
