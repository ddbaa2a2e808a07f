// Configures the tests: one project per folder, with its timeouts.
// A timeout ends a test that hangs. On a busy machine a test may take ten times as long as on an idle one.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { GUARANTEES } from './guarantees.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** One file after the other, unless `settings` say something else. */
const project = <Settings extends object>(
  name: string,
  testTimeoutSeconds: number,
  settings: Settings,
) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: testTimeoutSeconds * 1000,
    hookTimeout: testTimeoutSeconds * 1000,
    fileParallelism: false,
    ...settings,
  },
})

/** Shared settings of all projects that run together. */
const ALL_CORES = '100%'

/** The files of these projects share no state, so they run in one thread per core that loads the sources once. */
const PURE = { fileParallelism: true, isolate: false, pool: 'threads', maxWorkers: ALL_CORES }

/** Each process loads the sources once and has one ClickHouse for its files, which is empty for each of them. */
const withClickHouse = (maxWorkers: number) => ({
  fileParallelism: maxWorkers > 1,
  isolate: false,
  maxWorkers,
  globalSetup: ['test/support/store/share-clickhouse.ts'],
})

/** The default of one second is too short for a busy machine. */
const POLL_MS = 60_000

/** Two files in parallel, because each of them waits some of the time; they share no state. */
const WAITING = { fileParallelism: true, maxWorkers: 2 }

/** A folder with a setup of its own. */
const withSetup = (name: string) => ({ globalSetup: [`test/${name}/global-setup.ts`] })

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/support/suite/generated-assets.mjs'],
    expect: { poll: { timeout: POLL_MS } },
    // The tags of a test are its guarantees: `--tags-filter=api:pages-never-shift` runs the tests of one of them.
    tags: Object.entries(GUARANTEES).map(([name, { text }]) => ({ name, description: text })),
    projects: [
      {
        extends: true,
        // Reads and parses every source.
        test: {
          name: 'architecture',
          include: ['test/*.test.ts'],
          testTimeout: 180_000,
          maxWorkers: ALL_CORES,
        },
      },
      project('unit', 60, PURE),
      project('property', 180, PURE),
      // Each seed has its own deadline, so a test has that of its suite.
      project('sim', 3_600, WAITING),
      project('integration', 300, withClickHouse(2)),
      project('hostile', 300, withClickHouse(1)),
      project('kafka', 600, withSetup('kafka')),
      project('monitoring', 300, {}),
      project('e2e', 600, WAITING),
      project('documented', 600, WAITING),
      project('conformance', 600, withSetup('conformance')),
      project('browser', 600, WAITING),
      project('clients', 600, {}),
      project('notebook', 600, {}),
      project('devnet', 1800, { ...WAITING, ...withSetup('devnet') }),
    ],
  },
})
