// Tests of the image: it has what the services load, and nothing that only the one-machine product needs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDeployFile } from '../../../support/source/deploy-files.ts'

/** `import type` loads nothing, and `import()` loads only when it runs. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm

type Loaded = { files: Set<string>; packages: Set<string> }

/** `entry` is relative to the root of the repository, where tests run. */
const loadedWith = (
  entry: string,
  seen: Loaded = { files: new Set(), packages: new Set() },
): Loaded => {
  if (seen.files.has(entry) || !existsSync(entry)) return seen
  seen.files.add(entry)
  for (const [, specifier = ''] of readFileSync(entry, 'utf8').matchAll(STATIC)) {
    if (specifier.startsWith('.')) loadedWith(posix.join(dirname(entry), specifier), seen)
    else if (!specifier.startsWith('node:')) seen.packages.add(specifier)
  }
  return seen
}

const dockerfile = readFileSync('infra/deploy/Dockerfile', 'utf8')
const ignored = readFileSync('.dockerignore', 'utf8')

/** Their native parts are optional packages, which are not in the image. */
const NATIVE = ['libsql', 'ffi-rs']

const SERVICES = ['ingest', 'projections', 'api', 'auth']
const MODULES = [...SERVICES.map((name) => `${name}/main.ts`), 'infra/app/services/services.ts']

describe('the image', () => {
  it('omits optional packages, and no service loads one', () => {
    const installs = dockerfile.match(/npm ci [^\n]*/g) ?? []
    expect(installs).toHaveLength(2)
    for (const install of installs) expect(install).toContain('--omit=optional')
    for (const entry of ['infra/app/cli.ts', ...MODULES]) {
      const { files, packages } = loadedWith(entry)
      expect(files.size).toBeGreaterThan(10)
      expect([...packages].filter((name) => NATIVE.includes(name))).toEqual([])
    }
  })

  it('has the version of the package in every file of the deployment, as the changelog has', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const files = readdirSync('infra/deploy/kubernetes').map((name) => `kubernetes/${name}`)
    const texts = ['Dockerfile', 'compose.yaml', ...files].map(readDeployFile)
    const found = texts.flatMap((text) =>
      [...text.matchAll(/(?:rollcall:|newTag: |ARG VERSION=)(\d+\.\d+\.\d+)/g)].map(
        ([, tag]) => tag,
      ),
    )
    expect(found.length).toBeGreaterThan(7)
    expect([...new Set(found)]).toEqual([version])
    expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## ${version} - 20`)
  })

  it('runs as an unprivileged user, has a health check, and starts with the command', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/\nUSER [1-9]\d*:[1-9]\d*\n/)
    expect(last).toMatch(/\nHEALTHCHECK [\s\S]*\/livez/)
    expect(last).toContain('\nENTRYPOINT ["rollcall"]')
    expect(dockerfile).toMatch(/^ARG BASE_IMAGE=node:\d+[\w.-]*-slim$/m)
  })

  it('is built from the sources only, so that no secret of the folder is included', () => {
    const lines = ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines[0]).toBe('*')
    const letIn = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    for (const needed of ['package-lock.json', 'ingest', 'projections', 'api', 'auth', 'infra']) {
      expect(letIn).toContain(needed)
    }
    expect(letIn.filter((name) => /env|git|rollcall|test/.test(name))).toEqual([])
    expect(lines).toContain('infra/deploy')
  })
})
