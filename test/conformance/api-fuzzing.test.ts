// The started product on the demo chain under Schemathesis: whatever can be sent by the description is answered as it says.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSchemathesis } from '../support/api/schemathesis.ts'
import { createRunFolder } from '../support/process/rollcall-process.ts'

const SETTINGS = fileURLToPath(new URL('../tools/schemathesis.toml', import.meta.url))
const FUZZING_SECONDS = 90
const DEADLINE_MS = 240_000

let url: string
let folder: string
let clean: () => Promise<void>

beforeAll(async () => {
  const runFolder = await createRunFolder()
  ;({ folder, clean } = runFolder)
  url = await runFolder.run({ env: { RATE_LIMIT_PER_MINUTE: '1000000000' } }).untilServing()
})
afterAll(() => clean())

it('every operation answers as its description says, to what fits it and to what does not', {
  tags: 'api:documents-are-true',
}, async () => {
  const { code, stdout } = await runSchemathesis(
    [
      '--config-file',
      SETTINGS,
      'run',
      new URL('/openapi.json', url).href,
      // It never ends; a test of its own reads it.
      '--exclude-operation-id',
      'streamChanges',
      // A cursor is what was given out, an address has a checksum, and page excludes cursor: no schema can say so,
      // so that some of what fits the schemas is refused.
      '--exclude-checks',
      'positive_data_acceptance',
      '--phases',
      'examples,coverage,fuzzing',
      '--max-examples',
      '30',
      '--max-time',
      `${FUZZING_SECONDS}`,
      '--seed',
      '1',
      '--workers',
      '2',
      '--no-color',
    ],
    { cwd: folder, deadlineMs: DEADLINE_MS },
  )
  expect([code, code === 0 ? '' : stdout]).toEqual([0, ''])
  expect(stdout).toMatch(/Tested: 16$/m)
  const [, cases = '0'] = /(\d+) generated/.exec(stdout) ?? []
  expect(Number(cases)).toBeGreaterThan(500)
})
