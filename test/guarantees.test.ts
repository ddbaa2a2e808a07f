// Every clause has a guarantee, and every guarantee is in its README, proved at its levels by one file at each, and has defects.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { GUARANTEES, READMES } from './guarantees.ts'
import { readSources, type SourceFile, withoutComments } from './support/source/source-tree.ts'

const CLAUSES: Readonly<Record<string, string>> = parse(readFileSync('test/clauses.yaml', 'utf8'))
const README: SourceFile = { path: 'README.md', text: readFileSync('README.md', 'utf8') }
const files = [README, ...readSources()]
const tests = files.filter(({ path }) => /^test\/.*\.ts$/.test(path))
const pages = files.filter(({ path }) => path.endsWith('.md'))

const GUARANTEE = `(?:${Object.keys(READMES).join('|')}):[a-z0-9-]+`
const list = Object.entries(GUARANTEES)

it('each clause is the source of a guarantee, and each source is a clause', () => {
  const sources = new Set(list.flatMap(([, { source = [] }]) => source))
  expect([...sources].sort()).toEqual(Object.keys(CLAUSES).sort())
  expect(sources.size).toBeGreaterThan(60)
  expect(list.length).toBeGreaterThan(60)
})

it('the list below the heading of each README is that of its package, word for word', () => {
  for (const [prefix, path] of Object.entries(READMES)) {
    const text = pages.find((page) => page.path === path)?.text ?? ''
    const [, section = ''] = /^## Guarantees\n([\s\S]*?)(?:^## |$(?![\s\S]))/m.exec(text) ?? []
    const lines = section.split('\n').filter((line) => line.startsWith('- '))
    const own = list.filter(([id]) => id.startsWith(`${prefix}:`))
    expect(lines.sort(), path).toEqual(own.map(([id, { text }]) => `- \`${id}\`: ${text}`).sort())
  }
})

const citedIn = ({ text }: SourceFile): string[] =>
  [...text.matchAll(new RegExp(`\`(${GUARANTEE})\``, 'g'))].map(([, id = '']) => id)

it('the sentences of the pages cite guarantees of the list, those on starts, headers and isolation among them', () => {
  expect(pages.flatMap(citedIn).filter((id) => !(id in GUARANTEES))).toEqual([])
  expect(citedIn(README)).toEqual(
    expect.arrayContaining([
      'rollcall:starts-alone',
      'infra:wrong-settings',
      'ingest:headers-are-verified',
      'api:clients-are-isolated',
    ]),
  )
})

/** The guarantees that the tests of a file have as tags. */
const tagsIn = ({ text }: SourceFile): Set<string> => {
  const tags = [...withoutComments(text).matchAll(/\btags: *(?:\[[^\]]*\]|'[^']*')/g)].join()
  return new Set([...tags.matchAll(/'([a-z]+:[^']+)'/g)].map(([, id = '']) => id))
}

/** A reader who doubts a guarantee opens one file at each of its levels, which is a folder of tests. */
it('each guarantee is proved where the list says, by one file at each of at most two levels', () => {
  const proofs = tests.flatMap((file) =>
    [...tagsIn(file)].map((id) => ({ id, level: file.path.split('/')[1] ?? '' })),
  )
  expect(proofs.filter(({ id }) => !(id in GUARANTEES))).toEqual([])
  const proved = list.map(([id]) => {
    const levels = proofs.filter((proof) => proof.id === id).map(({ level }) => level)
    return [id, ...levels.sort()]
  })
  expect(proved).toEqual(list.map(([id, { levels }]) => [id, ...[...levels].sort()]))
  expect(list.filter(([, each]) => each.levels.length < 1 || each.levels.length > 2)).toEqual([])
})

it('no test is left out for good', () => {
  const never = /\b(?:it|test|describe)\.(?:skip|todo)\(/
  expect(tests.filter(({ text }) => never.test(text)).map(({ path }) => path)).toEqual([])
})

it('each guarantee has one to four defects, each of which has one place', () => {
  const numbers = list.map(([, { defects }]) => defects.length)
  expect(numbers.filter((number) => number < 1 || number > 4)).toEqual([])
  const places = list.flatMap(([id, { defects }]) =>
    defects.map(({ file, from }) => [id, from, readFileSync(file, 'utf8').split(from).length - 1]),
  )
  expect(places.filter(([, , count]) => count !== 1)).toEqual([])
})
