// `npm run prose`: prints every problem of the pages, or of those that it is given, and fails if there is one.
import { proseProblems } from './check-prose.ts'
import { readPages } from './pages.ts'

const chosen = process.argv.slice(2)
const pages = readPages().filter(({ path }) => chosen.length === 0 || chosen.includes(path))
const problems = (await Promise.all(pages.map(proseProblems))).flat()
for (const problem of problems) console.log(problem)
console.log(`${pages.length} pages, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
