// `npm run services`: Kafka, ClickHouse, the demo chain, two instances of each service and a gateway on this machine,
// until it is interrupted. Processes of Rollcall that end are restarted; none remains at the end.
import { randomBytes } from 'node:crypto'
import { loadLineFormatter } from '../../infra/app/terminal/terminal.ts'
import { untilAborted } from '../../infra/base/runtime/abort.ts'
import { hasCode } from '../../infra/base/runtime/errors.ts'
import { EXIT_CODES } from '../../infra/base/runtime/exit-codes.ts'
import { createLifecycle } from '../../infra/base/runtime/lifecycle.ts'
import { createLogger } from '../../infra/base/runtime/logger.ts'
import { runServices } from './services.ts'

/** Each of four groups of processes has 10 s at most. */
const STOP_BUDGET_MS = 45_000
const DEFAULT_PORT = 8080

const { PATH = '', HOME = '', LOG_LEVEL = 'warn', DEMO_BLOCK_MS, PORT } = process.env
const print = (line: string) => process.stderr.write(`${line}\n`)
const format = await loadLineFormatter(process.stderr)
const onLine = (name: string, line: string) => print(`${name}: ${format(line)}`)

const logger = createLogger({
  service: 'services',
  level: 'warn',
  destination: { write: (text) => print(format(text.trimEnd())) },
})
const lifecycle = createLifecycle({ logger, budgetMs: STOP_BUDGET_MS })
let isEnding = false
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    // A terminal and npm both forward Ctrl-C, so this process receives it twice.
    if (isEnding) return
    isEnding = true
    print('ending all processes')
    void lifecycle.shutdown(name)
  })
}
process.on('uncaughtException', (error) => lifecycle.fail(error))
process.on('unhandledRejection', (error) => lifecycle.fail(error))

runServices({
  lifecycle,
  logger,
  print,
  onLine,
  gatewayPort: PORT === undefined ? DEFAULT_PORT : Number(PORT),
  clickhousePassword: randomBytes(24).toString('base64url'),
  common: {
    PATH,
    HOME,
    LOG_LEVEL,
    ...(DEMO_BLOCK_MS === undefined ? {} : { DEMO_BLOCK_MS }),
  },
}).then(
  (ready) => process.stdout.write(ready),
  (error: unknown) => {
    if (!(lifecycle.signal.aborted && hasCode(error, 'ABORTED'))) lifecycle.fail(error)
  },
)
await untilAborted(lifecycle.signal)
await lifecycle.shutdown('failure')
process.exit(lifecycle.failure() === undefined ? EXIT_CODES.ok : EXIT_CODES.software)
