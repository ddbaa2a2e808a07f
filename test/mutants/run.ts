// `npm run mutants [-- PART-OF-A-NAME]`: plants one defect after the other in a copy of the committed sources. Ends with 1 if a test
// passes with its defect, or fails with other words.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { DEFECTS, type Defect } from './defects.ts'

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

const examine = (copy: string, { file, from, to, found }: Defect): string => {
  const [test = '', words = ''] = found.split(': ')
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) return `MISSED: ${file} does not have exactly one: ${from}`
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  const failing = failingIn(copy, test)
  writeFileSync(path, source)
  const sentence = failing.find((each) => each.includes(words))
  if (sentence !== undefined) return `found by ${test}: ${sentence}`
  return `MISSED by ${test}, which has these failures: ${failing.join('; ') || 'none'}`
}

const directory = createTemporaryDirectory('mutants')
const copy = join(directory.path, 'sources')
git('worktree', 'add', '--quiet', '--detach', copy, 'HEAD')
try {
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  for (const planted of DEFECTS.filter(({ defect }) => defect.includes(process.argv[2] ?? ''))) {
    const outcome = examine(copy, planted)
    console.log(`${planted.defect} (${planted.file})\n  ${outcome}`)
    if (outcome.startsWith('MISSED')) process.exitCode = 1
  }
} finally {
  git('worktree', 'remove', '--force', copy)
  directory.remove()
}
