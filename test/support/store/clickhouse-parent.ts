// A process that starts an embedded ClickHouse, prints its access data, and runs until it is killed. Argument: the directory.
import { writeSync } from 'node:fs'
import { startEmbeddedClickHouse } from '../../../infra/base/clickhouse/embedded-server.ts'
import { silentLogger } from '../process/log-lines.ts'

const { url, username, password, pid } = await startEmbeddedClickHouse({
  dataDir: process.argv[2] as string,
  password: 'secret',
  logger: silentLogger(),
})
writeSync(1, `${JSON.stringify({ url, username, password, pid })}\n`)
process.stdin.resume()
