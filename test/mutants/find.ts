// `npm run mutants -- --find [PART-OF-AN-ID] [--seed=1]`: looks for three random defects that the tests of each guarantee find, and adds
// them to `defects.yaml`. A guarantee that has three there is left out, and so is one whose tests need more than Node.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { GUARANTEES, type GuaranteeId } from '../guarantees.ts'
import { createDice } from '../sim/dice.ts'
import { DEFECTS, DEFECTS_FILE, type Defect, type Planted } from './defects.ts'
import { type Mutant, mutantsIn } from './plant.ts'

const ENOUGH = 3
/** A guarantee whose tests find fewer is reported. */
const MAX_TRIES = 16
/** Levels that need Node alone, the fastest first. */
const PROJECTS = ['unit', 'property', 'integration', 'hostile']

/** A level that is no project has its tests in the files of one. */
const projectOf = (id: GuaranteeId): string | undefined => {
  const levels: readonly string[] = GUARANTEES[id].levels
  const projects = levels.map((level) => (level === 'contracts' ? 'integration' : level))
  return PROJECTS.find((project) => projects.includes(project))
}

/** Whether the tests of the guarantee fail, or do not end. */
export function failsTests(
  copy: string,
  id: GuaranteeId,
  config = 'test/vitest.config.ts',
): boolean {
  const project = projectOf(id)
  if (!project) throw new Error(`the tests of ${id} need more than Node`)
  const folder = `test/${project}/`
  const files = readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => folder + path)
    .filter((path) => {
      const text = readFileSync(join(copy, path), 'utf8')
      return text.includes(`'${id}'`) || text.includes('contracts/')
    })
  const select = ['--project', project, `--tags-filter=${id}`, ...files]
  const args = ['run', '--config', config, ...select]
  const options = { cwd: copy, timeout: 300_000, killSignal: 'SIGKILL' } as const
  return spawnSync('node_modules/.bin/vitest', args, options).status !== 0
}

const findPlaces = (copy: string, id: GuaranteeId): Mutant[] => {
  const folder = mkdtempSync(join(tmpdir(), 'covered-'))
  try {
    process.env['COVERED_FOLDER'] = folder
    if (failsTests(copy, id, 'test/mutants/coverage.config.ts')) return []
    const covered = new Map<string, Set<string>>()
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8')
      for (const [file, names] of Object.entries(JSON.parse(text) as Record<string, string[]>))
        covered.set(file, new Set([...(covered.get(file) ?? []), ...names]))
    }
    return [...covered].flatMap(([file, names]) =>
      mutantsIn(file).filter(({ scope }) => scope.some((name) => names.has(name))),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The line of the defect, before and after, if the file has this line once. */
const toRow = ({ file, start, end, to }: Mutant): Planted | undefined => {
  const text = readFileSync(file, 'utf8')
  const first = text.lastIndexOf('\n', start) + 1
  const last = text.indexOf('\n', end)
  const from = text.slice(first, last).trim()
  if (from.includes('\n') || text.split(from).length !== 2) return undefined
  const changed = (text.slice(first, start) + to + text.slice(end, last)).trim()
  return { file, from, to: changed }
}

/** What `look` sees while the defect is in the copy. */
export function withDefect<Seen>(copy: string, planted: Planted, look: () => Seen): Seen {
  const path = join(copy, planted.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    source.replace(planted.from, () => planted.to),
  )
  try {
    return look()
  } finally {
    writeFileSync(path, source)
  }
}

/** The package that gives the guarantee. */
const packageOf = (id: GuaranteeId): string =>
  ({ rollcall: '', deploy: 'infra/' })[id.split(':')[0] ?? ''] ?? `${id.split(':')[0]}/`

/** Adds the rows that are found to the table, a guarantee after the other. */
export function findDefects(copy: string, part: string, seed: number): void {
  const dice = createDice(seed)
  for (const id of Object.keys(GUARANTEES) as GuaranteeId[]) {
    const given = (row: Defect) => 'guarantee' in row && row.guarantee === id
    let missing = ENOUGH - DEFECTS.filter(given).length
    if (!id.includes(part) || missing <= 0 || !projectOf(id)) continue
    const places = findPlaces(copy, id).filter(({ file }) => file.startsWith(packageOf(id)))
    for (let tries = 0; tries < MAX_TRIES && missing > 0 && places.length > 0; tries++) {
      const [mutant] = places.splice(dice.roll(places.length, tries), 1)
      const row = mutant && toRow(mutant)
      if (!row || !withDefect(copy, row, () => failsTests(copy, id))) continue
      appendFileSync(DEFECTS_FILE, stringify([{ guarantee: id, ...row }]))
      missing -= 1
    }
    console.log(`${id}: ${ENOUGH - missing} of ${ENOUGH}`)
  }
}
