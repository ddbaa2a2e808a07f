// `npm run bench [-- <part of a name> …] [-- --pairs=N] [-- --heights=N]`: compares Rollcall with plain baselines
// of the same run and prints ratios. Ratios of two machines can be compared; figures cannot.
//
//   quiet-blocks, quiet-recording  heights/s of ingest  against bare node:http, same requests  ≥ 0.6, 0.35
//               of 10,000 heights, or as many as --heights says; the last one is the recorded chain.
//   cached-pages  pages/s of a machine        against node:http answering the same bytes    ≥ 0.95.
//   block-to-api  block to API of a machine   against the chain's own block interval.
//   at-rest     CPU time of a machine at one block a second  against an engine alone; and its memory.
//   first-start  CPU time of the demo until its past is served  against an engine until its first answer; and the first page.
//
// This is no test: the exit code is 0 for any figures, and the output names each missed target.
// All processes use ephemeral ports and temporary directories, which are removed at the end.
import { parseArgs } from 'node:util'
import { cachedPages } from './cached-pages.ts'
import { firstStart } from './first-start.ts'
import { atRest, blockToApi } from './follower.ts'
import type { Finding, Measurement } from './measure.ts'
import { quiet } from './quiet.ts'
import { createScope } from './scope.ts'
import { type Failure, printTable } from './table.ts'

const MEASUREMENTS: readonly Measurement[] = [...quiet, cachedPages, blockToApi, atRest, firstStart]
const DEFAULT_PAIRS = 3

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: String(DEFAULT_PAIRS) },
    heights: { type: 'string' },
  },
})
const pairs = Math.max(1, Math.trunc(Number(values.pairs)) || DEFAULT_PAIRS)
const heights = Math.trunc(Number(values.heights)) || undefined
const chosen = MEASUREMENTS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
)

const findings: Finding[] = []
const failures: Failure[] = []
let scope = createScope()

const interrupt = (signal: NodeJS.Signals): void => {
  console.error(`\n${signal}: stopping all processes`)
  void scope.end().finally(() => process.exit(130))
}
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)

const take = async ({ name, question, run }: Measurement): Promise<void> => {
  console.error(`▶ ${name}: ${question}`)
  scope = createScope()
  try {
    findings.push(
      ...(await run({ scope, pairs, heights, log: (line) => console.error(`  ${line}`) })),
    )
  } catch (error) {
    console.error(error)
    failures.push({ name, reason: error instanceof Error ? error.message : String(error) })
  } finally {
    await scope.end()
  }
}

for (const measurement of chosen) await take(measurement)
if (chosen.length === 0) {
  console.log(`no such measurement; there are: ${MEASUREMENTS.map(({ name }) => name).join(', ')}`)
} else printTable(findings, failures)
// Exits at once: an open handle must not keep a finished benchmark alive.
process.exit(0)
