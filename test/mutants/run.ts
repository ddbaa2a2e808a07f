// `npm run mutants [-- PART-OF-A-NAME]`: plants one defect after the other in a copy of the committed sources. Ends with 1 if a test
// passes with its defect, or fails with other words. `-- --find` and `-- --matrix` plant random ones: see `find.ts` and `matrix.ts`.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { DEFECTS, type Defect, nameOf } from './defects.ts'
import { failsTests, findDefects, withDefect } from './find.ts'
import { printMatrix } from './matrix.ts'

type Report = { testResults: { assertionResults: { status: string; fullName: string }[] }[] }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT })

/** The sentences of the tests of one file that fail. */
const failingIn = (copy: string, test: string): string[] => {
  const output = join(copy, 'mutant-report.json')
  const select = ['--project', test.split('/')[0] ?? '', `test/${test}.test.ts`]
  const report = ['--reporter=json', `--outputFile=${output}`]
  const args = ['run', '--config', 'test/vitest.config.ts', ...select, ...report]
  spawnSync('node_modules/.bin/vitest', args, { cwd: copy })
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ status, fullName }) => (status === 'failed' ? [fullName] : []))
}

const examine = (copy: string, defect: Defect): string => {
  const { file, from } = defect
  if (readFileSync(join(copy, file), 'utf8').split(from).length !== 2)
    return `MISSED: ${file} does not have exactly one: ${from}`
  if ('guarantee' in defect) {
    const isFound = withDefect(copy, defect, () => failsTests(copy, defect.guarantee))
    return isFound ? `found by the tests of ${defect.guarantee}` : 'MISSED'
  }
  const [test = '', words = ''] = defect.found.split(': ')
  const failing = withDefect(copy, defect, () => failingIn(copy, test))
  const sentence = failing.find((each) => each.includes(words))
  if (sentence !== undefined) return `found by ${test}: ${sentence}`
  return `MISSED by ${test}, which has these failures: ${failing.join('; ') || 'none'}`
}

const examineAll = (copy: string, part: string): void => {
  for (const defect of DEFECTS.filter((each) => nameOf(each).includes(part))) {
    const outcome = examine(copy, defect)
    console.log(`${nameOf(defect)} (${defect.file})\n  ${outcome}`)
    if (outcome.startsWith('MISSED')) process.exitCode = 1
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    find: { type: 'boolean', default: false },
    matrix: { type: 'boolean', default: false },
    of: { type: 'string', default: '' },
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
})
const directory = createTemporaryDirectory('mutants')
const copy = join(directory.path, 'sources')
git('worktree', 'add', '--quiet', '--detach', copy, 'HEAD')
try {
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const { of, sample, seed } = values
  const part = positionals[0] ?? ''
  if (values.find) findDefects(copy, part, Number(seed))
  else if (!values.matrix) examineAll(copy, part)
  else {
    // Some tests start the product.
    execFileSync('node', ['infra/build.mjs'], { cwd: copy })
    const covered = join(ROOT, '.cache', 'mutants', `${git('rev-parse', 'HEAD')}`.trim())
    printMatrix(copy, covered, { of, sample: Number(sample), seed: Number(seed) })
  }
} finally {
  git('worktree', 'remove', '--force', copy)
  directory.remove()
}
