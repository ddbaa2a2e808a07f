// `npm run mutants -- --matrix [--of=FOLDER] [--sample=100] [--seed=1]`: plants random defects, each in turn, in a copy of the committed
// sources, runs every test file that runs the function, and prints which of them fail: one line for each defect, then the fewest files
// that find all that is found. The slower suites run only for what `unit` and `property` do not find.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createDice } from '../sim/dice.ts'
import { type Mutant, mutantsIn } from './plant.ts'
import { listTests, openSession, type Session } from './session.ts'

type Covered = Record<string, string[]>
export type MatrixOptions = { of: string; sample: number; seed: number }

const STAGES = [['unit', 'property'], ['integration'], ['hostile']]
const FOLDERS = ['ingest', 'projections', 'api', 'auth', 'infra']

/** test file → product file → names of functions. */
const readCoverage = async (copy: string, folder: string): Promise<Map<string, Covered>> => {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    process.env['COVERED_FOLDER'] = folder
    const recording = openSession(copy, 'test/mutants/coverage.config.ts')
    for (const project of STAGES.flat()) {
      const { files } = await recording.findFailing({ project, files: listTests(project) })
      // A test that fails without a defect finds none.
      for (const name of files)
        rmSync(join(folder, `${name.replaceAll('/', '~')}.json`), { force: true })
    }
    await recording.close()
  }
  return new Map(
    readdirSync(folder).map((name) => [
      name.replaceAll('~', '/').replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(folder, name), 'utf8')) as Covered,
    ]),
  )
}

const findKillers = async (
  session: Session,
  mutant: Mutant,
  coverage: Map<string, Covered>,
): Promise<string[]> => {
  const { file, scope } = mutant
  const runs = [...coverage].flatMap(([test, covered]) =>
    scope.some((name) => covered[file]?.includes(name)) ? [test] : [],
  )
  for (const stage of STAGES) {
    const killers: string[] = []
    for (const project of stage) {
      const files = runs.filter((test) => test.startsWith(`test/${project}/`))
      if (files.length === 0) continue
      killers.push(...(await session.findFailing({ project, files }, mutant)).files)
    }
    if (killers.length > 0) return killers
  }
  return []
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

export async function printMatrix(
  copy: string,
  session: Session,
  { folder, ...options }: MatrixOptions & { folder: string },
): Promise<void> {
  const coverage = await readCoverage(copy, folder)
  const files = FOLDERS.flatMap((name) =>
    readdirSync(name, { recursive: true, encoding: 'utf8' }).map((path) => `${name}/${path}`),
  ).filter((path) => /\.tsx?$/.test(path) && path.startsWith(options.of))
  const dice = createDice(options.seed)
  const all = files.flatMap(mutantsIn)
  const rows: string[][] = []
  for (let at = 0; at < options.sample && all.length > 0; at++) {
    const [mutant] = all.splice(dice.roll(all.length, at), 1)
    if (!mutant) break
    const killers = await findKillers(session, mutant, coverage)
    rows.push(killers)
    const { file, line, from, to } = mutant
    const words = from.replaceAll(/\s+/g, ' ').slice(0, 60)
    console.log(`${file}:${line} \`${words}\` → \`${to}\`: ${killers.join(' ') || 'NOT FOUND'}`)
  }
  const found = rows.filter((killers) => killers.length > 0).length
  console.log(`\n${found} of ${rows.length} are found. The fewest files that find them:`)
  for (const line of fewestFiles(rows)) console.log(line)
}
