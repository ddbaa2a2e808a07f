// Records which functions of the product each test file runs. A setup file of `coverage.config.ts`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { afterAll, expect } from 'vitest'

type Script = {
  url: string
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[]
}

const PRODUCT = /^\/((?:ingest|projections|api|auth|infra)\/[^?]*\.tsx?)/
const FOLDER = process.env['COVERED_FOLDER'] ?? '.cache/mutants'
const shared = globalThis as { coverageSession?: Session }

const take = (session: Session): Script[] => {
  let scripts: Script[] = []
  // The session is of this thread, so it answers at once.
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    scripts = coverage.result
  })
  return scripts
}

if (!shared.coverageSession) {
  shared.coverageSession = new Session()
  shared.coverageSession.connect()
  shared.coverageSession.post('Profiler.enable')
  shared.coverageSession.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
}
const session = shared.coverageSession
// What an earlier file of this thread ran.
take(session)

afterAll(() => {
  const path = (expect.getState().testPath ?? '').replace(/^.*\/test\//, 'test/')
  const covered: Record<string, string[]> = {}
  for (const { url, functions } of take(session)) {
    const file = PRODUCT.exec(url.replace('file://', '').slice(process.cwd().length))?.[1]
    const names = functions.flatMap(({ functionName, ranges: [whole] }) =>
      whole && whole.count > 0 && functionName !== '' ? [functionName] : [],
    )
    if (file && names.length > 0) covered[file] = [...new Set(names)]
  }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/${path.replaceAll('/', '~')}.json`, JSON.stringify(covered))
})
