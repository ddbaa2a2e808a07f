// `npm run mutants [-- PART-OF-A-GUARANTEE]`: plants one defect after the other in a copy of the committed sources. Ends with 1 if the
// tests of a guarantee pass with its defect. Tests for which the machine lacks something are named, and not run.
// `-- --matrix` plants random ones: see `matrix.ts`.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Defect, GUARANTEES } from '../guarantees.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { checkRequirement } from '../support/suite/requirements.ts'
import { projectsOf, SUITES } from '../support/suite/suites.ts'
import { printMatrix } from './matrix.ts'
import { findTestsOf, NO_TEST_ENDED, openSession, type Session } from './session.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT })

/** What the machine lacks for the tests of a project. */
const lackOf = (name: string): string[] =>
  SUITES.filter((suite) => projectsOf(suite).includes(name))
    .flatMap(({ needs = [] }) => needs.map(checkRequirement))
    .filter((lack) => lack !== undefined)

const examine = async (session: Session, guarantee: string, defect: Defect): Promise<string> => {
  const { file, from, to } = defect
  const source = readFileSync(file, 'utf8')
  const start = source.indexOf(from)
  if (source.split(from).length !== 2) return `MISSED: ${file} does not have exactly one: ${from}`
  const tests = findTestsOf(guarantee)
  const lack = lackOf(tests.project)
  if (lack.length > 0) return `NOT EXAMINED by ${tests.project}: ${lack.join('; ')}`
  const failing = await session.findFailing(tests, { file, start, end: start + from.length, to })
  const all = [...failing.tests.map(({ name }) => name), ...failing.files]
  const found = all.find((each) => each !== NO_TEST_ENDED)
  if (found !== undefined) return `found by ${found}`
  return `MISSED by ${tests.files.join(' ')}, which have these failures: ${all.join('; ') || 'none'}`
}

/** Whether all are found, as far as they are examined. */
const examineAll = async (session: Session, part: string): Promise<boolean> => {
  let isAllFound = true
  for (const [guarantee, { defects }] of Object.entries(GUARANTEES))
    for (const defect of guarantee.includes(part) ? defects : []) {
      const outcome = await examine(session, guarantee, defect)
      console.log(`${guarantee}: ${defect.from} → ${defect.to} (${defect.file})\n  ${outcome}`)
      if (outcome.startsWith('MISSED')) isAllFound = false
    }
  return isAllFound
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    matrix: { type: 'boolean', default: false },
    of: { type: 'string', default: '' },
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})
const directory = createTemporaryDirectory('mutants')
const copy = join(directory.path, 'sources')
let isAllFound = true
git('worktree', 'add', '--quiet', '--detach', copy, 'HEAD')
try {
  for (const name of ['node_modules', 'test/tools/node_modules', 'test/tools/clients/node_modules'])
    if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(copy, name))
  process.chdir(copy)
  const session = openSession(copy)
  const { of, sample, seed } = values
  if (!values.matrix) isAllFound = await examineAll(session, positionals[0] ?? '')
  else {
    // Some tests start the product.
    execFileSync('node', ['infra/build.mjs'], { cwd: copy })
    const folder = join(ROOT, '.cache', 'mutants', `${git('rev-parse', 'HEAD')}`.trim())
    await printMatrix(copy, session, { of, folder, sample: Number(sample), seed: Number(seed) })
  }
  await session.close()
} finally {
  git('worktree', 'remove', '--force', copy)
  directory.remove()
}
// A test that did not end may still run. Vitest sets another code, for tests that fail.
process.exit(isAllFound ? 0 : 1)
