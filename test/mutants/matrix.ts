// `npm run mutants -- --matrix [--of=FOLDER] [--sample=100] [--seed=1]`: plants random defects, each in turn, in a copy of the committed
// sources, runs every test file that runs the function, and prints which of them fail: one line for each defect, then the fewest files
// that find all that is found. The slower suites run only for what `unit` and `property` do not find.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createDice } from '../sim/dice.ts'
import { type Mutant, mutantsIn } from './plant.ts'

type Report = { testResults: { name: string; status: string }[] }
type Covered = Record<string, string[]>
export type MatrixOptions = { of: string; sample: number; seed: number }

/** Vitest runs projects together only if they have the same number of workers. */
const STAGES = [['unit', 'property'], ['integration'], ['hostile']]
const VITEST = 'node_modules/.bin/vitest'
const FOLDERS = ['ingest', 'projections', 'api', 'auth', 'infra']

const projectsOf = (stage: readonly string[]) => stage.flatMap((name) => ['--project', name])

/** test file → product file → names of functions. */
const readCoverage = (copy: string, folder: string): Map<string, Covered> => {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    process.env['COVERED_FOLDER'] = folder
    // A test that fails without a defect finds none.
    for (const stage of STAGES) {
      for (const name of failingIn(copy, stage, [], 'test/mutants/coverage.config.ts'))
        rmSync(join(folder, `${name.replaceAll('/', '~')}.json`), { force: true })
    }
  }
  return new Map(
    readdirSync(folder).map((name) => [
      name.replaceAll('~', '/').replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(folder, name), 'utf8')) as Covered,
    ]),
  )
}

const failingIn = (
  copy: string,
  stage: readonly string[],
  files: readonly string[],
  config = 'test/vitest.config.ts',
): string[] => {
  const output = join(copy, 'mutant-report.json')
  writeFileSync(output, '{"testResults":[]}')
  const report = ['--reporter=json', `--outputFile=${output}`]
  const args = ['run', '--config', config, ...projectsOf(stage), ...report, ...files]
  // A defect may make a test endless.
  const timeout = files.length > 0 ? 300_000 : 3_600_000
  spawnSync(VITEST, args, { cwd: copy, timeout, killSignal: 'SIGKILL' })
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
  if (testResults.length === 0) return ['(no test ended)']
  return testResults
    .filter(({ status }) => status !== 'passed')
    .map(({ name }) => relative(copy, name))
}

const findKillers = (copy: string, mutant: Mutant, coverage: Map<string, Covered>): string[] => {
  const { file, start, end, to, scope } = mutant
  const runs = [...coverage].filter(([, covered]) =>
    scope.some((name) => covered[file]?.includes(name)),
  )
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.slice(0, start) + to + source.slice(end))
  try {
    for (const stage of STAGES) {
      const files = runs.map(([test]) => test).filter((test) => stage.includes(test.split('/')[1]!))
      const killers = files.length === 0 ? [] : failingIn(copy, stage, files)
      if (killers.length > 0) return killers
    }
    return []
  } finally {
    writeFileSync(path, source)
  }
}

/** Files in the order in which each finds the most of what those before it do not find. */
const fewestFiles = (rows: readonly (readonly string[])[]): string[] => {
  const left = rows.filter((killers) => killers.length > 0)
  const counts = new Map<string, number>()
  for (const killer of left.flat()) counts.set(killer, (counts.get(killer) ?? 0) + 1)
  const [best] = [...counts].sort(([, one], [, other]) => other - one)
  if (!best) return []
  return [
    `${best[1]} ${best[0]}`,
    ...fewestFiles(left.filter((killers) => !killers.includes(best[0]))),
  ]
}

export function printMatrix(copy: string, folder: string, options: MatrixOptions): void {
  const coverage = readCoverage(copy, folder)
  const files = FOLDERS.flatMap((name) =>
    readdirSync(name, { recursive: true, encoding: 'utf8' }).map((path) => `${name}/${path}`),
  ).filter((path) => /\.tsx?$/.test(path) && path.startsWith(options.of))
  const dice = createDice(options.seed)
  const all = files.flatMap(mutantsIn)
  const rows: string[][] = []
  for (let at = 0; at < options.sample && all.length > 0; at++) {
    const [mutant] = all.splice(dice.roll(all.length, at), 1)
    if (!mutant) break
    const killers = findKillers(copy, mutant, coverage)
    rows.push(killers)
    const { file, line, from, to } = mutant
    const words = from.replaceAll(/\s+/g, ' ').slice(0, 60)
    console.log(`${file}:${line} \`${words}\` → \`${to}\`: ${killers.join(' ') || 'NOT FOUND'}`)
  }
  const found = rows.filter((killers) => killers.length > 0).length
  console.log(`\n${found} of ${rows.length} are found. The fewest files that find them:`)
  for (const line of fewestFiles(rows)) console.log(line)
}
