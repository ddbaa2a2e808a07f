// Run folders with a data directory that already has the demo chain, because indexing it takes most of a start.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TEST_RECORDING } from '../chain/test-recording.ts'
import { createRunFolder, getJson, USERS_DEMO, until } from './rollcall-process.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CACHE = join(ROOT, '.cache', 'demo')
/** The default data directory of a run folder. */
const DATA_DIR = '.rollcall'
/** The longest block time: the chain stays at its first tip while it is indexed. */
const STANDSTILL = { DEMO_BLOCK_MS: '60000' }

/** Selects the recording; by default that of the tests. */
type Demo = typeof USERS_DEMO | Record<string, never>
const TESTS_DEMO: Demo = {}

/** Another build, engine or recording has another data directory. */
const computeKey = (demo: Demo): string => {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  hash.update(readFileSync(join(TEST_RECORDING, 'manifest.json'))).update(JSON.stringify(demo))
  const files = readdirSync(join(ROOT, 'dist'), { recursive: true, withFileTypes: true })
    // The times of the sources say nothing about a build.
    .filter((file) => file.isFile() && file.name !== '.inputs')
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files.sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** ClickHouse links its tables by relative paths. */
const copy = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, verbatimSymlinks: true })

type Health = { chain: { height: number } | null; tip: number; lagEvents: number }

const indexDemo = async (to: string, demo: Demo): Promise<void> => {
  const { run, folder, clean } = await createRunFolder()
  try {
    const rollcall = run({ env: { ...STANDSTILL, ...demo } })
    const url = await rollcall.untilServing(180_000)
    await until('the demo chain is indexed', 180_000, async () => {
      const { chain, tip, lagEvents } = await getJson<Health>(url, '/api/health')
      return chain?.height === tip && lagEvents === 0 ? true : undefined
    })
    rollcall.signal('SIGTERM')
    const { code } = await rollcall.ended
    if (code !== 0) throw new Error(`rollcall ended with ${code}: ${rollcall.stderr()}`)
    await copy(join(folder, DATA_DIR), to)
  } finally {
    await clean()
  }
}

/** The path of the prepared data directory; it is made once per build. */
const prepare = async (demo: Demo): Promise<string> => {
  const key = computeKey(demo)
  const prepared = join(CACHE, key)
  if (existsSync(prepared)) return prepared
  await mkdir(CACHE, { recursive: true })
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'))
  await indexDemo(join(unfinished, DATA_DIR), demo)
  const keys = [TESTS_DEMO, USERS_DEMO].map(computeKey)
  for (const name of readdirSync(CACHE).filter((each) => /^[0-9a-f]{16}$/.test(each))) {
    if (!keys.includes(name)) await rm(join(CACHE, name), { recursive: true, force: true })
  }
  // Another process can have finished the same data directory first.
  await rename(join(unfinished, DATA_DIR), prepared).catch((error: unknown) => {
    if (!existsSync(prepared)) throw error
  })
  await rm(unfinished, { recursive: true, force: true })
  return prepared
}

const preparing = new Map<Demo, Promise<string>>()
const prepareDemo = (demo: Demo): Promise<string> => {
  const prepared = preparing.get(demo) ?? prepare(demo)
  preparing.set(demo, prepared)
  return prepared
}

/** A run folder as after an earlier start: the demo chain is indexed up to its first tip. */
export const createDemoFolder = async (demo: Demo = TESTS_DEMO) => {
  const prepared = await prepareDemo(demo)
  const runFolder = await createRunFolder()
  await copy(prepared, join(runFolder.folder, DATA_DIR))
  return runFolder
}

// For `npm test`: prepares it before the suites that share it.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await prepareDemo(TESTS_DEMO)
