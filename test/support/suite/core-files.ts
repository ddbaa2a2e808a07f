// Which files of the slower suites `npm test` has: for each guarantee the cheapest that proves it. Their tags say it, so there is no list.
import { readdirSync, readFileSync } from 'node:fs'
import { GUARANTEES } from '../../guarantees.ts'

/** The cheapest first. The suites before `integration` always run whole. */
const LEVELS = ['unit', 'property', 'contracts', 'integration', 'hostile', 'sim', 'e2e']

const filesOf = (level: string): string[] =>
  readdirSync(`test/${level}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(level === 'contracts' ? '.ts' : '.test.ts'))
    .map((path) => `test/${level}/${path}`)

/** Of each project: the files that are the cheapest proof of a guarantee, and all others. */
export function findCoreFiles(): (project: string) => { core: string[]; rest: string[] } {
  const left = new Set<string>(Object.keys(GUARANTEES))
  const found = LEVELS.map((level) => {
    const texts = filesOf(level).map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    const proves = (text: string, id: string) => text.includes(`'${id}'`)
    const core = texts.filter(({ text }) => [...left].some((id) => proves(text, id)))
    for (const id of left) if (core.some(({ text }) => proves(text, id))) left.delete(id)
    const isCore = new Set(core.map(({ path }) => path))
    return { level, files: texts.map(({ path }) => path), isCore }
  })
  return (project) => {
    const { files = [], isCore } = found.find(({ level }) => level === project) ?? {}
    return {
      core: files.filter((path) => isCore?.has(path)),
      rest: files.filter((path) => !isCore?.has(path)),
    }
  }
}
