// `npm run prose`: prints every problem of the pages and of the code, or of the files that it is given, and fails if there is one.
import { proseProblems } from './check-prose.ts'
import { codeProblems, readCode } from './code.ts'
import { readPages } from './pages.ts'

const chosen = process.argv.slice(2)
const pages = readPages().filter(({ path }) => chosen.length === 0 || chosen.includes(path))
const code = readCode().filter(({ path }) => chosen.length === 0 || chosen.includes(path))
const problems = [
  ...(await Promise.all(pages.map(proseProblems))).flat(),
  ...code.flatMap(codeProblems),
]
for (const problem of problems) console.log(problem)
console.log(`${pages.length} pages, ${code.length} files of code, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
