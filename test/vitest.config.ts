// Which tests there are: one project per folder, each with the time its kind may take.
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

/** The same for all that run together. */
const ALL_CORES = '100%'

/** Nothing in these touches what another file could see: a thread for each core, and one load of the sources for each. */
const pure = (name: string, testTimeoutSeconds: number) => {
  const { test, ...rest } = project(name, testTimeoutSeconds, true)
  return { ...rest, test: { ...test, isolate: false, pool: 'threads', maxWorkers: ALL_CORES } }
}

/** One process for all files, with one load of the sources and one ClickHouse, which each file finds empty. */
const withClickHouse = (name: string, testTimeoutSeconds: number) => {
  const { test, ...rest } = project(name, testTimeoutSeconds, false)
  const globalSetup = ['test/support/store/share-clickhouse.ts']
  return { ...rest, test: { ...test, isolate: false, globalSetup } }
}

const kafka = project('kafka', 180, false)
const sim = project('sim', 300, true)
const conformance = project('conformance', 300, false)
const devnet = project('devnet', 1800, false)
const CAMPAIGN = 'test/devnet/campaign.test.ts'
const campaign = project('campaign', 1800, false)

export default defineConfig({
  root,
  test: {
    globalSetup: ['test/support/suite/bundle-verifier.mjs'],
    // A test names the guarantees that it proves: `--tags-filter=api:pages-never-shift` runs the proofs of one of them.
    tags: (Object.keys(GUARANTEES) as GuaranteeId[]).map((name) => ({
      name,
      description: GUARANTEES[name],
    })),
    projects: [
      {
        extends: true,
        // Reads and parses every source there is.
        test: {
          name: 'architecture',
          include: ['test/*.test.ts'],
          testTimeout: 60_000,
          maxWorkers: ALL_CORES,
        },
      },
      pure('unit', 5),
      pure('property', 60),
      // Two at a time: some of them wait for most of their time.
      { ...sim, test: { ...sim.test, maxWorkers: 2 } },
      withClickHouse('integration', 120),
      withClickHouse('hostile', 180),
      { ...kafka, test: { ...kafka.test, globalSetup: ['test/kafka/global-setup.ts'] } },
      project('cluster', 600, false),
      project('monitoring', 180, false),
      project('e2e', 300, false),
      {
        ...conformance,
        test: { ...conformance.test, globalSetup: ['test/conformance/global-setup.ts'] },
      },
      project('browser', 120, false),
      project('notebook', 300, false),
      {
        ...devnet,
        test: {
          ...devnet.test,
          exclude: [CAMPAIGN],
          globalSetup: ['test/devnet/global-setup.ts'],
        },
      },
      // On a chain of its own.
      { ...campaign, test: { ...campaign.test, include: [CAMPAIGN] } },
    ],
  },
})
