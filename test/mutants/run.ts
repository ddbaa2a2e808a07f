// `npm run mutants [-- PART-OF-A-NAME]`: plants one defect after the other in a copy of the committed sources. Ends with 1 if a test
// passes with its defect, or fails with other words. Tests for which the machine lacks something are named, and not run.
// `-- --matrix` plants random ones: see `matrix.ts`.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { checkRequirement } from '../support/suite/requirements.ts'
import { projectsOf, SUITES } from '../support/suite/suites.ts'
import { DEFECTS, type Defect, nameOf } from './defects.ts'
import { printMatrix } from './matrix.ts'
import { findTestsOf, NO_TEST_ENDED, openSession, type Session, type Tests } from './session.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT })

/** The tests that must find the defect, and words of the name of one of them. */
const expectedOf = (defect: Defect): { tests: Tests; words: string } => {
  if ('guarantee' in defect) return { tests: findTestsOf(defect.guarantee), words: '' }
  const [test = '', words = ''] = defect.found.split(': ')
  return {
    tests: { project: test.split('/')[0] ?? '', files: [`test/${test}.test.ts`] },
    words,
  }
}

/** What the machine lacks for the tests of a project. */
const lackOf = (name: string): string[] =>
  SUITES.filter((suite) => projectsOf(suite).includes(name))
    .flatMap(({ needs = [] }) => needs.map(checkRequirement))
    .filter((lack) => lack !== undefined)

const examine = async (session: Session, defect: Defect): Promise<string> => {
  const { file, from, to } = defect
  const source = readFileSync(file, 'utf8')
  const start = source.indexOf(from)
  const end = start + from.length
  if (start < 0 || source.includes(from, end))
    return `MISSED: ${file} does not have exactly one: ${from}`
  const { tests, words } = expectedOf(defect)
  const lack = lackOf(tests.project)
  if (lack.length > 0) return `NOT EXAMINED by ${tests.project}: ${lack.join('; ')}`
  const failing = await session.findFailing(tests, { file, start, end, to })
  const names = failing.tests.map(({ name }) => name)
  const all = [...names, ...failing.files]
  const found = all.find((each) => each !== NO_TEST_ENDED && each.includes(words))
  if (found !== undefined) return `found by ${found}`
  return `MISSED by ${tests.files.join(' ')}, which have these failures: ${all.join('; ') || 'none'}`
}

/** Whether all are found, as far as they are examined. */
const examineAll = async (session: Session, part: string): Promise<boolean> => {
  let isAllFound = true
  for (const defect of DEFECTS.filter((each) => nameOf(each).includes(part))) {
    const outcome = await examine(session, defect)
    console.log(`${nameOf(defect)} (${defect.file})\n  ${outcome}`)
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
