// Which tests of the slower suites `npm test` has: for each guarantee those of the cheapest level that proves it, by their tags.
import { readdirSync, readFileSync } from 'node:fs'
import { GUARANTEES } from '../../guarantees.ts'

/** The cheapest first. The suites before `integration` always run whole. */
const LEVELS = ['unit', 'property', 'contracts', 'integration', 'hostile', 'sim', 'e2e']

const filesOf = (level: string): string[] =>
  readdirSync(`test/${level}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(level === 'contracts' ? '.ts' : '.test.ts'))
    .map((path) => `test/${level}/${path}`)

/** The guarantees that a project proves in `npm test`, and the files that prove them. */
export type CoreTests = { guarantees: readonly string[]; files: readonly string[] }

export function findCoreTests(project: string): CoreTests {
  const left = new Set<string>(Object.keys(GUARANTEES))
  for (const level of LEVELS) {
    const texts = filesOf(level).map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    const proves = (text: string, id: string) => text.includes(`'${id}'`)
    const guarantees = [...left].filter((id) => texts.some(({ text }) => proves(text, id)))
    const core = texts.filter(({ text }) => guarantees.some((id) => proves(text, id)))
    if (level === project) return { guarantees, files: core.map(({ path }) => path) }
    for (const id of guarantees) left.delete(id)
  }
  throw new Error(`the project "${project}" proves no guarantee for npm test`)
}
