// Every page of the project is in plain English: `npm run prose` prints the same problems.
import { describe, expect, it } from 'vitest'
import { proseProblems } from './prose/check-prose.ts'
import { linkProblems } from './prose/links.ts'
import { readPages } from './prose/pages.ts'
import { readServedDocuments } from './prose/served.ts'

const findProblems = (text: string) => proseProblems({ path: 'page.md', text })
const words = (count: number): string => Array.from({ length: count }, (_, n) => `w${n}`).join(' ')

describe('the prose of the pages', () => {
  const title = 'has no replaced word, no sentence over 25 words and no line of 140 characters'
  it(title, async () => {
    expect((await Promise.all(readPages().map(proseProblems))).flat()).toEqual([])
  })

  it('is checked in the pages of the top level and of every package', () => {
    const paths = readPages().map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'api/README.md', 'test/README.md']),
    )
    expect(paths.length).toBeGreaterThan(25)
  })
})

describe('the length of the pages', () => {
  const LIMITS = { 'README.md': 9_000, 'CHANGELOG.md': 4_000, package: 8_000 }
  it('is that of a page that is read to its end', () => {
    const isReadme = (path: string) =>
      /^(?:ingest|projections|api|auth|infra)\/README\.md$/.test(path)
    const long = readPages().flatMap(({ path, text }) => {
      const limit = isReadme(path) ? LIMITS.package : LIMITS[path as keyof typeof LIMITS]
      return Buffer.byteLength(text) > limit ? [`${path}: move a part to a page of its own`] : []
    })
    expect(long).toEqual([])
  })
})

describe('the links of the pages', () => {
  it('lead to files and headings that exist', () => {
    expect(readPages().flatMap(linkProblems)).toEqual([])
  })

  it('name the file to begin in for each kind of change', () => {
    const page = readPages().find(({ path }) => path === 'CONTRIBUTING.md')?.text ?? ''
    const [, rows = ''] =
      /^## Where do I add …\n[\s\S]*?\|---\|---\|\n((?:\|.*\n)+)/m.exec(page) ?? []
    const kinds = rows.trimEnd().split('\n')
    expect(kinds.length).toBeGreaterThan(6)
    expect(kinds.filter((row) => !/\]\([\w/.-]+\.(?:ts|md)/.test(row))).toEqual([])
  })

  const planted = (text: string) => linkProblems({ path: 'api/README.md', text })

  it.each([
    ['a file', '[x](no-such-file.ts)', 'api/no-such-file.ts, which does not exist'],
    [
      'a heading of another page',
      '[x](../README.md#no-such)',
      '#no-such, which README.md does not have',
    ],
    ['a heading of the page', '[x](#no-such)', '#no-such, which api/README.md does not have'],
  ])('are refused if they lead to %s that does not exist', (_, text, problem) => {
    expect(planted(text)).toEqual([expect.stringContaining(problem)])
  })

  it('are not read in code, and not followed to other hosts', () => {
    expect(planted('`[x](no.ts)` [x](https://example.org/a)\n```md\n[x](no.ts)\n```\n')).toEqual([])
    expect(planted('[x](#guarantees) [x](../README.md#guarantees) [x](html/)')).toEqual([])
  })
})

describe('the prose of the served documents', () => {
  it('has no replaced word and no sentence over 25 words', async () => {
    const problems = (await Promise.all(readServedDocuments().map(proseProblems))).flat()
    // Lines contain addresses of the deployment, so their length is not limited.
    expect(problems.filter((problem) => !problem.includes('characters in one line'))).toEqual([])
  })

  it('is checked in every kind of document', () => {
    const documents = readServedDocuments()
    expect(documents.length).toBeGreaterThan(10)
    expect(documents.filter(({ text }) => text.trim() === '')).toEqual([])
  })
})

describe('the prose check', () => {
  it.each([
    ['The alert is mended, and nobody is told.', 'mended'],
    ['Whoever reads this is told.', 'Whoever'],
    ['A cursor leads\non in its generation.', 'leads\non'],
    ['| what |\n|---|\n| lines of JSON |', 'lines of JSON'],
    ['The sources are on Github.', 'Github'],
  ])('refuses %j', async (text, term) => {
    expect(await findProblems(text)).toContainEqual(expect.stringContaining(`“${term}”`))
  })

  it.each([
    `${words(26)}.`,
    `- one\n- ${words(26)}.`,
    `| what |\n|---|\n| ${words(26)} |`,
    `Short. ${words(25)} \`a.b c\`. Short.`,
  ])('refuses 26 words in one sentence: %j', async (text) => {
    expect(await findProblems(text)).toEqual([expect.stringContaining('26 words in one sentence')])
  })

  it('accepts 25 words, of which code and a link each are counted as they are read', async () => {
    const text = `${words(23)} \`a. b c d\` [link](https://example.org/a.html).\n${words(25)}.`
    expect(await findProblems(text)).toEqual([])
  })

  it('refuses a line of 140 characters, also in a table, and names the line', async () => {
    expect(await findProblems(`First.\n\n| ${'x'.repeat(136)} |\n|---|`)).toEqual([
      'page.md:3 140 characters in one line, at most 139',
    ])
    expect(await findProblems('x'.repeat(139))).toEqual([])
  })

  it('reads no words in code', async () => {
    expect(await findProblems('`votes_held` and `nobody`:\n\n```sh\nnobody\n```')).toEqual([])
  })
})
