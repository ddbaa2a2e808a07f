// Runs the API on a given store in its own process, for memory tests. It prints its address, then its memory for each input line.
import { createInterface } from 'node:readline'
import { readApiConfig } from '../../../api/config.ts'
import { startApi } from '../../../api/main.ts'
import { createStore } from '../../../infra/base/clickhouse/client.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { silentLogger } from '../process/log-lines.ts'

const [url = '', username = '', password = ''] = process.argv.slice(2)
const env = {
  PORT: '0',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  PAGE_CACHE_BYTES: `${16 * 1024 ** 2}`,
}
const api = await startApi({
  config: readApiConfig(env),
  store: createStore({ url, username, password }),
  logger: silentLogger(),
  metrics: createMetrics('api'),
})
const report = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
report({ url: api.url })
for await (const _ of createInterface({ input: process.stdin })) {
  report({ heapMiB: Math.round(process.memoryUsage().heapUsed / 1024 ** 2) })
}
