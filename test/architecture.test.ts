// Checks the dependencies between packages and other rules of the sources, and tests the check with violations.
import { describe, expect, it } from 'vitest'
import {
  findImports,
  findProblems,
  hostsIn,
  isCode,
  ROOT_FOLDERS,
  readLockFile,
  readSources,
  type SourceFile,
} from './support/source/source-tree.ts'

const file = (path: string, text: string): SourceFile => ({ path, text })

describe('the architecture check', () => {
  it('finds no violation in the sources', () => {
    expect(findProblems(readSources())).toEqual([])
  })

  it('reads the sources of every package with code, and their imports', () => {
    const sources = readSources().filter(isCode)
    for (const folder of ROOT_FOLDERS) {
      const seen = sources.filter(({ path }) => path.startsWith(`${folder}/`))
      expect(seen.length, folder).toBeGreaterThan(15)
    }
    const crossing = sources.flatMap(findImports).filter((specifier) => /infra\//.test(specifier))
    expect(crossing.length).toBeGreaterThan(30)
  })

  it.each([
    ['api/routes/a.ts', "import { run } from '../../projections/writer.ts'", 'not allowed'],
    ['api/routes/a.ts', "const x = await import('../../ingest/main.ts')", 'not allowed'],
    ['projections/a.ts', "import type { A } from '../ingest/source/a.ts'", 'not allowed'],
    ['ingest/a.ts', "export { a } from '../projections/contract/database.ts'", 'not allowed'],
    ['infra/base/log/a.ts', "import '../../../ingest/contract/envelope.ts'", 'not allowed'],
    ['infra/base/log/a.ts', "import '../../app/doctor/finding.ts'", 'not allowed'],
    ['infra/app/tools/a.ts', "import '../app/cli.ts'", 'not allowed'],
    ['ingest/a.ts', "import '../infra/app/tools/a.ts'", 'not allowed'],
    ['ingest/a.ts', "import '../test/support/process/fake-clock.ts'", 'not allowed'],
    ['api/read/a.ts', "import '../resources/list.ts'", 'not allowed'],
    ['api/mcp/a.ts', "import '../http/headers.ts'", 'not allowed'],
    ['api/resources/a.ts', "import '../app.ts'", 'not allowed'],
    ['api/words/a.ts', "import '../read/a.ts'", 'not allowed'],
    ['api/a.ts', 'export const a = 1', 'in no folder'],
    ['api/app.ts', "const home = process.env['HOME']", 'reads the environment'],
    ['api/app.ts', 'const { env } = process["env"]', 'reads the environment'],
    ['infra/a.ts', `const path = '${['', 'home', 'user', 'x'].join('/')}'`, 'of one machine'],
  ])('reports a planted violation in %s', (path, text, problem) => {
    expect(findProblems([file(path, text)])).toEqual([expect.stringContaining(problem)])
  })

  it('reports a second importer of a heavy library, also by a subpath', () => {
    const first = file('infra/base/log/sqlite.ts', "import Database from 'libsql'")
    const second = file('infra/app/data-dir.ts', "import type { Database } from 'libsql/index.js'")
    expect(findProblems([first])).toEqual([])
    expect(findProblems([first, second])).toEqual([
      expect.stringContaining('libsql has 2 importers'),
    ])
  })

  it('finds no host of a package in the lock file', () => {
    const lockFile = readLockFile()
    expect(lockFile.match(/"integrity": "sha512-/g)?.length).toBeGreaterThan(100)
    expect(hostsIn(lockFile)).toEqual([])
    expect(hostsIn('"resolved": "https://mirror.example/a.tgz"')).toEqual(['mirror.example'])
  })
})
