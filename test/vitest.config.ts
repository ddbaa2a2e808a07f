// Configures the tests: one project per folder, with its timeouts.
// A timeout ends a test that hangs. On a busy machine a test may take ten times as long as on an idle one.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { GUARANTEES, type GuaranteeId } from './guarantees.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const project = (name: string, testTimeoutSeconds: number, fileParallelism: boolean) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: testTimeoutSeconds * 1000,
    hookTimeout: testTimeoutSeconds * 1000,
    fileParallelism,
  },
})

/** Shared settings of all projects that run together. */
const ALL_CORES = '100%'

/** The files of these projects share no state, so they run in one thread per core that loads the sources once. */
const pure = (name: string, testTimeoutSeconds: number) => {
  const { test, ...rest } = project(name, testTimeoutSeconds, true)
  return { ...rest, test: { ...test, isolate: false, pool: 'threads', maxWorkers: ALL_CORES } }
}

/** Each process loads the sources once and has one ClickHouse for its files, which is empty for each of them. */
const withClickHouse = (name: string, testTimeoutSeconds: number, maxWorkers: number) => {
  const { test, ...rest } = project(name, testTimeoutSeconds, maxWorkers > 1)
  const globalSetup = ['test/support/store/share-clickhouse.ts']
  return { ...rest, test: { ...test, isolate: false, maxWorkers, globalSetup } }
}

/** The default of one second is too short for a busy machine. */
const POLL_MS = 60_000

/** Two files in parallel, because each of them waits some of the time; they share no state. */
const waiting = (name: string, testTimeoutSeconds: number) => {
  const { test, ...rest } = project(name, testTimeoutSeconds, true)
  return { ...rest, test: { ...test, maxWorkers: 2 } }
}

/** A folder with a setup of its own. */
const withSetup = (name: string, testTimeoutSeconds: number) => {
  const { test, ...rest } = project(name, testTimeoutSeconds, false)
  return { ...rest, test: { ...test, globalSetup: [`test/${name}/global-setup.ts`] } }
}

/** One file of `devnet/`: each starts chains of its own. */
const withChains = (name: string, file = name) => {
  const { test, ...rest } = project(name, 1800, false)
  return { ...rest, test: { ...test, include: [`test/devnet/${file}.test.ts`] } }
}

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/support/suite/generated-assets.mjs'],
    expect: { poll: { timeout: POLL_MS } },
    // The tags of a test are its guarantees: `--tags-filter=api:pages-never-shift` runs the tests of one of them.
    tags: (Object.keys(GUARANTEES) as GuaranteeId[]).map((name) => ({
      name,
      description: GUARANTEES[name].text,
    })),
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
      pure('unit', 60),
      pure('property', 180),
      // Each seed has its own deadline, so a test has that of its suite.
      waiting('sim', 3_600),
      withClickHouse('integration', 300, 2),
      withClickHouse('hostile', 300, 1),
      withSetup('kafka', 600),
      project('monitoring', 300, false),
      waiting('e2e', 600),
      waiting('documented', 600),
      withSetup('conformance', 600),
      waiting('browser', 600),
      project('clients', 600, false),
      project('notebook', 600, false),
      withChains('devnet', 'scenario'),
      withChains('rules'),
      withChains('provider'),
    ],
  },
})
