// One vitest for many defects: a start takes longer than most tests.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest, type TestProject, type Vitest } from 'vitest/node'
import { GUARANTEES } from '../guarantees.ts'
import { type Place, withDefect } from './plant.ts'

/** A defect may make a test endless, also without a pause in which its own timeout could end it: that is noticed so much later. */
const AFTER_TIMEOUT_MS = 100_000
/** In place of a file: on a busy machine it may say nothing about the defect. */
export const NO_TEST_ENDED = '(no test ended)'

/** Files of one project: all their tests, or those of a guarantee, of any guarantee, or of none. */
export type Tests = {
  project: string
  files: readonly string[]
  /** The id of one, `any guarantee` or `no guarantee`. */
  of?: string
  /** A second failure says nothing more. */
  endsAtFirst?: boolean
}
/** `isProof`: the test has the tag of a guarantee. */
export type FailingTest = { file: string; name: string; isProof: boolean }
/** The files that fail, and their tests that do. */
export type Failing = { files: readonly string[]; tests: readonly FailingTest[] }

export type Session = {
  /** With the defect, if there is one. */
  findFailing(tests: Tests, place?: Place): Promise<Failing>
  close(): Promise<void>
}

/** The fastest first. */
const OF_SOURCES = ['unit', 'property', 'integration', 'hostile', 'sim']
/** Their tests start the product, which is built before each run. */
const OF_BUILD = ['e2e', 'documented', 'browser', 'kafka', 'clients', 'conformance', 'devnet']

export function listTests(project: string): string[] {
  return readdirSync(`test/${project}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `test/${project}/${path}`)
}

/** At the cheapest level. */
export function findTestsOf(guarantee: string): Tests {
  const levels = GUARANTEES[guarantee]?.levels ?? []
  // A level that is no project has its tests in the files of one.
  const projects = levels.map((level) => (level === 'contracts' ? 'integration' : level))
  const project = [...OF_SOURCES, ...OF_BUILD].find((name) => projects.includes(name))
  if (!project) throw new Error(`no project has the levels ${levels}`)
  const files = listTests(project).filter((path) => {
    const text = readFileSync(path, 'utf8')
    return (
      text.includes(`'${guarantee}'`) || (levels.includes('contracts') && /contracts\//.test(text))
    )
  })
  return { project, files, of: guarantee }
}

const ANY = `(${Object.keys(GUARANTEES).join(' or ')})`

const toTagsFilter = (of: Tests['of']): { testTagsFilter?: string[] } => {
  if (of === undefined) return {}
  if (of === 'any guarantee') return { testTagsFilter: [ANY] }
  return { testTagsFilter: [of === 'no guarantee' ? `!${ANY}` : of] }
}

/** `restart`: the deadline of a run, at the start and the end of each test, and at the end of each hook. */
type Started = { vitest: Vitest; project: TestProject; deadline: { restart(): void } }

async function startVitest(copy: string, config: string, name: string): Promise<Started> {
  const options = { config: join(copy, config), root: copy, project: [name], watch: false }
  const deadline = { restart: () => {} }
  const restart = () => deadline.restart()
  const reporters = [{ onHookEnd: restart, onTestCaseReady: restart, onTestCaseResult: restart }]
  const vitest = await createVitest('test', { ...options, maxWorkers: 1, reporters })
  await vitest.standalone()
  const project = vitest.projects.find((each) => each.name === name)
  if (!project) throw new Error(`no project ${name}`)
  return { vitest, project, deadline }
}

async function runTests({ vitest, project }: Started, copy: string, tests: Tests) {
  const { files, of, endsAtFirst } = tests
  const only = toTagsFilter(of)
  project.config.bail = endsAtFirst ? 1 : 0
  const selected = files.map((file) => project.createSpecification(join(copy, file), only))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(selected)
  // Vitest remembers the modules of earlier runs.
  const failed = testModules.filter(
    (module) => files.includes(module.relativeModuleId) && !module.ok(),
  )
  return {
    files: [
      ...failed.map(({ relativeModuleId }) => relativeModuleId),
      ...(unhandledErrors.length > 0 ? ['(an error outside of the tests)'] : []),
    ],
    tests: failed.flatMap(({ relativeModuleId: file, children }) =>
      [...children.allTests('failed')].map(({ fullName, tags }) => ({
        file,
        name: fullName,
        isProof: tags.length > 0,
      })),
    ),
  }
}

/** `copy` has the sources, and is the current folder of this process. */
export function openSession(copy: string, config = 'test/vitest.config.ts'): Session {
  const started = new Map<string, Promise<Started>>()
  const start = (name: string): Promise<Started> => {
    const found = started.get(name) ?? startVitest(copy, config, name)
    started.set(name, found)
    return found
  }
  const run = async (tests: Tests): Promise<Failing> => {
    if (OF_BUILD.includes(tests.project)) execFileSync('node', ['infra/build.mjs'], { cwd: copy })
    const using = await start(tests.project)
    const { deadline, project } = using
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      deadline.restart = () => {
        clearTimeout(timer)
        timer = setTimeout(() => resolve(undefined), project.config.testTimeout + AFTER_TIMEOUT_MS)
      }
    })
    deadline.restart()
    const found = await Promise.race([runTests(using, copy, tests), late])
    deadline.restart = () => {}
    clearTimeout(timer)
    if (found) return found
    started.delete(tests.project)
    void using.vitest.close()
    return { files: [NO_TEST_ENDED], tests: [] }
  }
  return {
    findFailing: async (tests, place) => {
      if (!place) return run(tests)
      const { vitest } = await start(tests.project)
      const path = join(copy, place.file)
      try {
        return await withDefect(copy, place, () => {
          vitest.invalidateFile(path)
          return run(tests)
        })
      } finally {
        vitest.invalidateFile(path)
      }
    },
    close: async () => {
      for (const each of started.values()) await (await each).vitest.close()
    },
  }
}
