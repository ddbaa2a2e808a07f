// Which tests there are: one project per folder, each with the time its kind may take.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

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

const devnet = project('devnet', 1800, false)

export default defineConfig({
  root,
  test: {
    projects: [
      { extends: true, test: { name: 'architecture', include: ['test/*.test.ts'] } },
      project('unit', 5, true),
      project('property', 60, true),
      project('sim', 300, false),
      project('integration', 120, false),
      project('e2e', 300, false),
      { ...devnet, test: { ...devnet.test, globalSetup: ['test/devnet/global-setup.ts'] } },
    ],
  },
})
