// `npm run mutants -- --matrix [--of=FOLDER] [--sample=100] [--seed=1]`: plants random defects, each in turn, in a copy of the committed
// sources, runs the tests of every file that runs the function, and prints which of them fail, with a tick if they prove a guarantee. At its end
// are the fewest other tests that find what no guarantee finds. The slower suites run only for what no guarantee of the faster ones finds.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createDice } from '../sim/dice.ts'
import { type Mutant, mutantsIn } from './plant.ts'
import { type FailingTest, listTests, openSession, type Session, type Tests } from './session.ts'

type Covered = Record<string, string[]>
export type MatrixOptions = { of: string; sample: number; seed: number }

const PROJECTS = ['unit', 'property', 'integration', 'hostile']
const FOLDERS = ['ingest', 'projections', 'api', 'auth', 'infra']

/** test file → product file → names of functions. */
const readCoverage = async (copy: string, folder: string): Promise<Map<string, Covered>> => {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    process.env['COVERED_FOLDER'] = folder
    const recording = openSession(copy, 'test/mutants/coverage.config.ts')
    for (const project of PROJECTS) {
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

/** The files with the fewest other functions come first: they are about the changed one. */
const findRuns = ({ file, scope }: Mutant, coverage: Map<string, Covered>): string[] => {
  const breadth = (covered: Covered) => Object.values(covered).flat().length
  return [...coverage]
    .filter(([, covered]) => scope.some((name) => covered[file]?.includes(name)))
    .sort(([, one], [, other]) => breadth(one) - breadth(other))
    .map(([test]) => test)
}

const STAGES: readonly Omit<Tests, 'files'>[] = [
  { project: 'unit' },
  { project: 'property' },
  { project: 'integration', of: 'any guarantee', endsAtFirst: true },
  { project: 'hostile', of: 'any guarantee', endsAtFirst: true },
]
/** For what no guarantee finds, and no test of the stages before. */
const REST: readonly Omit<Tests, 'files'>[] = [
  { project: 'integration', of: 'no guarantee' },
  { project: 'hostile', of: 'no guarantee' },
]

/** All that fail, up to the first stage in which a guarantee fails. */
const findKillers = async (
  session: Session,
  mutant: Mutant,
  coverage: Map<string, Covered>,
): Promise<FailingTest[]> => {
  const runs = findRuns(mutant, coverage)
  const killers: FailingTest[] = []
  const isProved = () => killers.some(({ isProof }) => isProof)
  const run = async (stage: Omit<Tests, 'files'>) => {
    const files = runs.filter((test) => test.startsWith(`test/${stage.project}/`))
    if (files.length === 0) return
    const failing = await session.findFailing({ ...stage, files }, mutant)
    killers.push(...failing.tests)
    const silent = failing.files.filter((file) => !failing.tests.some((test) => test.file === file))
    // A file that cannot be loaded has no test that fails. Whether it proves a guarantee is not known.
    killers.push(...silent.map((file) => ({ file, name: '(the file)', isProof: false })))
  }
  for (const stage of STAGES) if (!isProved()) await run(stage)
  if (killers.length === 0) for (const stage of REST) await run(stage)
  return killers
}

const nameOf = ({ file, name }: FailingTest) => `${file}: ${name}`

/** Tests in the order in which each finds the most of what those before it do not find. */
const fewestTests = (rows: readonly (readonly string[])[]): string[] => {
  const counts = new Map<string, number>()
  for (const killer of rows.flat()) counts.set(killer, (counts.get(killer) ?? 0) + 1)
  const [best] = [...counts].sort(([, one], [, other]) => other - one)
  if (!best) return []
  return [
    `${best[1]} ${best[0]}`,
    ...fewestTests(rows.filter((killers) => !killers.includes(best[0]))),
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
  const rows: FailingTest[][] = []
  for (let at = 0; at < options.sample && all.length > 0; at++) {
    const [mutant] = all.splice(dice.roll(all.length, at), 1)
    if (!mutant) break
    const killers = await findKillers(session, mutant, coverage)
    rows.push(killers)
    const { file, line, from, to } = mutant
    const words = from.replaceAll(/\s+/g, ' ').slice(0, 60)
    console.log(`${file}:${line} \`${words}\` → \`${to}\``)
    for (const killer of killers) console.log(`  ${killer.isProof ? '✓' : '-'} ${nameOf(killer)}`)
    if (killers.length === 0) console.log('  NOT FOUND')
  }
  const found = rows.filter((killers) => killers.length > 0)
  const unproved = found.filter((killers) => !killers.some(({ isProof }) => isProof))
  console.log(
    `\n${found.length} of ${rows.length} are found, ${found.length - unproved.length} by a guarantee. The fewest tests that find the others:`,
  )
  for (const line of fewestTests(unproved.map((killers) => killers.map(nameOf)))) console.log(line)
}
