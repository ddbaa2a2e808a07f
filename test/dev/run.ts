// `npm run dev`: serves the demo chain from the sources until Ctrl-C. After a saved file, it restarts the part that changed
// and reloads the open pages. Requests pass through this process, so that the product has nothing of it.
import { watch } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readRunFile } from '../../infra/app/data-dir.ts'
// @ts-expect-error It is plain JavaScript.
import { generateAssets } from '../../infra/generated-assets.mjs'
import { findFreePorts } from '../devnet/ports.ts'
import { createPart } from './part.ts'
import { createDevProxy } from './proxy.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PACKAGES = ['api', 'auth', 'infra', 'ingest', 'projections']
/** The API alone has these sources; any other is in the machine too. */
const API_SOURCES = /^(?:api|infra[\\/]html)[\\/]/
/** `npm run dev` writes the verifier itself. */
const GENERATED = /verifier\.js|\.md$/
/** An editor writes a file in several steps. */
const SETTLE_MS = 30

const {
  PORT: port = '8080',
  DATA_DIR: dataDir = join(ROOT, '.cache', 'dev'),
  ...rest
} = process.env
const [machinePort, apiPort] = await findFreePorts(2)
const cache = join(ROOT, 'node_modules', '.cache', 'compiled')
const common = { ...rest, OPERATORS_PORT: '0', DATA_DIR: dataDir, NODE_COMPILE_CACHE: cache }

const machine = createPart({
  command: 'start',
  stopSignal: 'SIGTERM',
  readEnvironment: () => ({ ...common, PORT: String(machinePort) }),
  check: async () => readRunFile(dataDir),
})

/** Stateless, so it is killed. It reads the tables of the machine. */
const api = createPart({
  command: 'api',
  stopSignal: 'SIGKILL',
  readEnvironment: () => {
    const { url, username, password } = readRunFile(dataDir)?.clickhouse ?? {}
    const store = {
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USERNAME: username,
      CLICKHOUSE_PASSWORD: password,
    }
    return { ...common, ...store, PORT: String(apiPort), LOG_LEVEL: 'warn' }
  },
  check: async () => (await fetch(`http://127.0.0.1:${apiPort}/api/health`)).status,
})

const { server, reload } = createDevProxy({
  api: () => api.ready().then(() => Number(apiPort)),
  machine: () => machine.ready().then(() => Number(machinePort)),
})

const restart = async (isApiOnly: boolean): Promise<void> => {
  const startedMs = performance.now()
  if (!isApiOnly) await Promise.all([api.stop(), generateAssets()]).then(machine.restart)
  await api.restart()
  reload()
  const what = isApiOnly ? 'api' : 'everything'
  console.log(`restarted ${what} in ${Math.round(performance.now() - startedMs)} ms`)
}

let changed: string[] = []
let settling: NodeJS.Timeout | undefined
let restarting = Promise.resolve()
const onChange = (file: string): void => {
  if (GENERATED.test(file)) return
  changed.push(file)
  clearTimeout(settling)
  settling = setTimeout(() => {
    const isApiOnly = changed.every((each) => API_SOURCES.test(each))
    changed = []
    restarting = restarting
      .then(() => restart(isApiOnly))
      .catch((error) => console.error(error.message))
  }, SETTLE_MS)
}
for (const folder of PACKAGES) {
  watch(join(ROOT, folder), { recursive: true }, (_, name) => onChange(`${folder}${sep}${name}`))
}

const stop = async (): Promise<void> => {
  await api.stop()
  await machine.stop()
  process.exit()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

server.listen(Number(port), '127.0.0.1')
await restart(false)
console.log(`Rollcall from the sources: http://127.0.0.1:${port}`)
