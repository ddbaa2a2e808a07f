// Checks that the lockfile has a hash for every package, so that a changed package is rejected.
// It also checks the Node versions of the lockfile against those of the project.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Entry = {
  version?: string
  integrity?: string
  link?: boolean
  inBundle?: boolean
}

/**
 * The engine for platforms other than Linux x64, of `package-lock.json` alone. Only the package for Linux x64 can be fetched from where
 * the lockfile is written: the registry there answers 404 for these (looked up last on 2026-11-29), so npm writes no address and no hash.
 * They are optional dependencies: `npm ci` takes them from the registry of its user, or goes on without. A package
 * leaves this list once its hash is in the lockfile.
 */
const WITHOUT_HASH = ['@chdb/lib-darwin-arm64', '@chdb/lib-darwin-x64', '@chdb/lib-linux-arm64-gnu']

const readEntries = (path: string): [string, Entry][] => {
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> }
  return Object.entries(packages).filter(([name, { link }]) => name !== '' && !link)
}

const LOCKFILES = [
  'package-lock.json',
  'test/tools/package-lock.json',
  'test/tools/clients/package-lock.json',
]

describe.each(LOCKFILES)('%s', (path) => {
  const entries = readEntries(path)
  const bare = entries.filter(([, { integrity, inBundle }]) => !integrity && !inBundle)

  it('has a hash for every package, except those that this file names', () => {
    expect(entries.length).toBeGreaterThan(100)
    const expected = path === 'package-lock.json' ? WITHOUT_HASH : []
    expect(bare.map(([name]) => name.replace(/^node_modules\//, ''))).toEqual(expected)
  })

  it('has strong hashes only', () => {
    for (const [name, { integrity }] of entries) {
      if (integrity) expect(integrity, name).toMatch(/^sha512-/)
    }
  })
})

describe('the versions of Node that the suites run on', () => {
  const findVersions = (name: RegExp) =>
    readEntries('test/tools/package-lock.json')
      .filter(([path]) => name.test(path))
      .map(([, { version }]) => version ?? '')

  it('the oldest is the first release of the oldest minor version that package.json supports', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
    const oldest = findVersions(/\/oldest-node-(?:linux|darwin)-/)
    expect(oldest.length).toBeGreaterThanOrEqual(2)
    for (const version of oldest) expect(engines.node).toBe(`>=${version.replace(/\.0$/, '')}`)
  })

  it('the other one is of the major version in .node-version', () => {
    const current = findVersions(/\/node-(?:linux|darwin)-/)
    expect(current.length).toBeGreaterThanOrEqual(2)
    const major = readFileSync('.node-version', 'utf8').trim()
    for (const version of current) expect(version.split('.')[0]).toBe(major)
  })
})
