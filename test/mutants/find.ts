// `npm run mutants -- --find [PART-OF-AN-ID] [--seed=1]`: looks for three random defects that the tests of each guarantee find, and adds
// them to `defects.yaml`. A guarantee that has three there is left out, and so is one whose tests need more than Node.
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { GUARANTEES, type GuaranteeId } from '../guarantees.ts'
import { createDice } from '../sim/dice.ts'
import { DEFECTS, DEFECTS_FILE, type Defect, type Planted } from './defects.ts'
import { type Mutant, mutantsIn } from './plant.ts'
import { findTestsOf, openSession, type Session, type Tests } from './session.ts'

const ENOUGH = 3
/** A guarantee whose tests find fewer is reported. */
const MAX_TRIES = 16

const findPlaces = async (copy: string, tests: Tests): Promise<Mutant[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'covered-'))
  process.env['COVERED_FOLDER'] = folder
  const recording = openSession(copy, 'test/mutants/coverage.config.ts')
  try {
    const { files } = await recording.findFailing(tests)
    if (files.length > 0) return []
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
    await recording.close()
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

/** The package that gives the guarantee. */
const packageOf = (id: GuaranteeId): string =>
  ({ rollcall: '', deploy: 'infra/' })[id.split(':')[0] ?? ''] ?? `${id.split(':')[0]}/`

/** Adds the rows that are found to the table, a guarantee after the other. */
export async function findDefects(
  copy: string,
  session: Session,
  { part, seed }: { part: string; seed: number },
): Promise<void> {
  const dice = createDice(seed)
  for (const id of Object.keys(GUARANTEES) as GuaranteeId[]) {
    const given = (row: Defect) => 'guarantee' in row && row.guarantee === id
    let missing = ENOUGH - DEFECTS.filter(given).length
    const tests = findTestsOf(id)
    if (!id.includes(part) || missing <= 0 || !tests) continue
    const all = await findPlaces(copy, tests)
    const places = all.filter(({ file }) => file.startsWith(packageOf(id)))
    for (let tries = 0; tries < MAX_TRIES && missing > 0 && places.length > 0; tries++) {
      const [mutant] = places.splice(dice.roll(places.length, tries), 1)
      const row = mutant && toRow(mutant)
      if (!row || (await session.findFailing(tests, mutant)).files.length === 0) continue
      appendFileSync(DEFECTS_FILE, stringify([{ guarantee: id, ...row }]))
      missing -= 1
    }
    console.log(`${id}: ${ENOUGH - missing} of ${ENOUGH}`)
  }
}
