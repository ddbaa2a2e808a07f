// Every clause has a guarantee, and every guarantee is in its README, proved at its levels by one file at each, and has defects.
import { readFileSync } from 'node:fs'
import typescript from 'typescript'
import { describe, expect, it } from 'vitest'
import { CLAUSES } from './clauses.ts'
import { GUARANTEES, type Guarantee, READMES } from './guarantees.ts'
import { readSources, type SourceFile } from './support/source/source-tree.ts'

type Guarantees = {
  guarantees: Readonly<Record<string, Guarantee>>
  clauses: Readonly<Record<string, string>>
  /** Prefix of an id before the colon → path of the page with its guarantees. */
  readmes: Readonly<Record<string, string>>
  /** Includes at least the pages above and the tests. */
  files: readonly SourceFile[]
}

type Citation = { id: string; path: string; isSkipped: boolean }

const TEST_FUNCTIONS = ['it', 'test', 'describe']
const NEVER_RUN = ['skip', 'todo']

/** `it`, `it.each(cases)`, `describe.skipIf(lack)`: the names on the way from the call to its first word. */
const listNames = (callee: typescript.Expression): string[] => {
  if (typescript.isIdentifier(callee)) return [callee.text]
  if (typescript.isCallExpression(callee)) return listNames(callee.expression)
  if (typescript.isTaggedTemplateExpression(callee)) return listNames(callee.tag)
  if (!typescript.isPropertyAccessExpression(callee)) return []
  return [...listNames(callee.expression), callee.name.text]
}

const listTexts = (value: typescript.Expression): string[] => {
  if (typescript.isArrayLiteralExpression(value)) return value.elements.flatMap(listTexts)
  return typescript.isStringLiteralLike(value) ? [value.text] : []
}

const findTags = (options: typescript.Expression | undefined): string[] => {
  if (!options || !typescript.isObjectLiteralExpression(options)) return []
  return options.properties.flatMap((property) =>
    typescript.isPropertyAssignment(property) && property.name.getText() === 'tags'
      ? listTexts(property.initializer)
      : [],
  )
}

const citationsIn = ({ path, text }: SourceFile): Citation[] => {
  const source = typescript.createSourceFile(path, text, typescript.ScriptTarget.ES2023, true)
  const found: Citation[] = []
  const visit = (node: typescript.Node): void => {
    if (typescript.isCallExpression(node)) {
      const [first = '', ...modifiers] = listNames(node.expression)
      const isSkipped = modifiers.some((name) => NEVER_RUN.includes(name))
      const tags = TEST_FUNCTIONS.includes(first) ? findTags(node.arguments[1]) : []
      found.push(...tags.map((id) => ({ id, path, isSkipped })))
    }
    typescript.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const HEADING = '## Guarantees'
const LINE = /^- `([a-z]+:[a-z0-9-]+)`: (.+)$/

/** The list below the heading of guarantees, a line each. */
const guaranteesIn = (page: string): string[] => {
  const lines = page.split('\n')
  const start = lines.indexOf(HEADING)
  if (start < 0) return []
  const section = lines.slice(start + 1)
  const end = section.findIndex((line) => line.startsWith('## '))
  return section.slice(0, end < 0 ? undefined : end).filter((line) => line.startsWith('- '))
}

const readmeProblems = ({ guarantees, readmes, files }: Guarantees): string[] => {
  const pages = Object.entries(readmes).map(([prefix, path]) => {
    const page = files.find((file) => file.path === path)?.text ?? ''
    return { prefix, path, lines: guaranteesIn(page) }
  })
  const strange = pages.flatMap(({ prefix, path, lines }) =>
    lines
      .filter((line) => {
        const [, id = '', sentence] = LINE.exec(line) ?? []
        return !id.startsWith(`${prefix}:`) || guarantees[id]?.text !== sentence
      })
      .map((line) => `${path} has a guarantee that is not in the list: ${line}`),
  )
  const all = pages.flatMap(({ lines }) => lines)
  const missing = Object.entries(guarantees)
    .filter(([id, { text }]) => all.filter((line) => line === `- \`${id}\`: ${text}`).length !== 1)
    .map(([id]) => `no README gives ${id} word for word, once`)
  return [...strange, ...missing]
}

/** The folder of a test says at which level it proves: `test/<level>/…`. */
const toLevel = (path: string): string => path.split('/')[1] ?? ''

const MOST_FILES = 2

/** A reader who doubts a guarantee opens one file at each of its levels. */
const levelProblems = (id: string, levels: readonly string[], proofs: readonly Citation[]) => {
  const files = [...new Set(proofs.filter((proof) => proof.id === id).map(({ path }) => path))]
  const proved = files.map(toLevel).sort()
  const areFew = proved.length > 0 && proved.length <= MOST_FILES
  if (areFew && proved.join() === [...levels].sort().join()) return []
  return [
    `${id} has the levels ${levels.join(', ')}, and is proved by ${files.join(', ') || 'no test'}`,
  ]
}

const clauseProblems = ({ guarantees, clauses }: Guarantees): string[] => {
  const given = new Set(Object.values(guarantees).flatMap(({ source = [] }) => source))
  return [
    ...Object.keys(clauses)
      .filter((id) => !given.has(id))
      .map((id) => `no guarantee gives clause ${id}: ${clauses[id]}`),
    ...[...given]
      .filter((id) => !Object.hasOwn(clauses, id))
      .map((id) => `no clause ${id} is listed`),
  ]
}

const citationProblems = ({ guarantees, files }: Guarantees): string[] => {
  const citations = files
    .filter(({ path }) => path.startsWith('test/') && path.endsWith('.ts'))
    .flatMap(citationsIn)
  const unknown = citations
    .filter(({ id }) => !Object.hasOwn(guarantees, id))
    .map(({ id, path }) => `${path} verifies ${id}, which is not in the list`)
  const skipped = citations
    .filter(({ isSkipped }) => isSkipped)
    .map(({ id, path }) => `${path} verifies ${id} in a test that is skipped`)
  const proofs = citations.filter(({ isSkipped }) => !isSkipped)
  const levels = Object.entries(guarantees).flatMap(([id, { levels }]) =>
    levelProblems(id, levels, proofs),
  )
  return [...unknown, ...skipped, ...levels]
}

/** As sentences: each clause without a guarantee, and each guarantee that is not given, not listed, or proved elsewhere than it says. */
const guaranteeProblems = (guarantees: Guarantees): string[] => [
  ...clauseProblems(guarantees),
  ...readmeProblems(guarantees),
  ...citationProblems(guarantees),
]

const README: SourceFile = { path: 'README.md', text: readFileSync('README.md', 'utf8') }

describe('the guarantees of the READMEs', () => {
  it('equal the list of guarantees word for word, give every clause, and are proved where the list says', () => {
    const files = [README, ...readSources()]
    const all = { guarantees: GUARANTEES, clauses: CLAUSES, readmes: READMES, files }
    expect(guaranteeProblems(all)).toEqual([])
    expect(Object.keys(GUARANTEES).length).toBeGreaterThan(60)
    expect(Object.keys(CLAUSES).length).toBeGreaterThan(60)
  })
})

const DEFECTS = Object.entries(GUARANTEES).flatMap(([id, { defects }]) =>
  defects.map((defect) => [id, defect.from, defect] as const),
)

it.each(DEFECTS)('%s: the defect at "%s" has one place', (_, from, { file }) => {
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2)
})

it('each guarantee has one to four defects', () => {
  const counts = Object.entries(GUARANTEES).map(([id, { defects }]) => [id, defects.length])
  expect(counts.filter(([, count = 0]) => Number(count) < 1 || Number(count) > 4)).toEqual([])
})

const page = (...lines: string[]) =>
  `# api\n\n## Guarantees\n\n${lines.join('\n')}\n\n## Files\n\n- a\n`
const GIVEN = '- `api:a`: Pages never shift.'
const PROVED = `it('t', { tags: 'api:a' }, () => {})`

const GUARANTEE: Guarantee = {
  text: 'Pages never shift.',
  source: ['C1'],
  levels: ['unit'],
  defects: [],
}

const planted = (changes: {
  readme?: string
  test?: string
  guarantee?: Partial<Guarantee>
  clauses?: Readonly<Record<string, string>>
  paths?: readonly string[]
}) =>
  guaranteeProblems({
    guarantees: { 'api:a': { ...GUARANTEE, ...changes.guarantee } },
    clauses: changes.clauses ?? { C1: 'A list has pages.' },
    readmes: { api: 'api/README.md' },
    files: [
      { path: 'api/README.md', text: changes.readme ?? page(GIVEN) },
      ...(changes.paths ?? ['test/unit/a.test.ts']).map((path) => ({
        path,
        text: changes.test ?? PROVED,
      })),
    ],
  })

describe('the sentences of the pages', () => {
  const CITED = new RegExp(`\`((?:${Object.keys(READMES).join('|')}):[a-z0-9-]+)\``, 'g')
  const citedIn = ({ text }: SourceFile) => [...text.matchAll(CITED)].map(([, id = '']) => id)

  it('cite guarantees of the list, those on starts, headers and isolation among them', () => {
    const pages = [README, ...readSources().filter(({ path }) => path.endsWith('.md'))]
    const unknown = pages.flatMap(citedIn).filter((id) => !(id in GUARANTEES))
    expect(unknown).toEqual([])
    expect(citedIn(README)).toEqual(
      expect.arrayContaining([
        'rollcall:starts-alone',
        'infra:wrong-settings',
        'ingest:headers-are-verified',
        'api:clients-are-isolated',
      ]),
    )
  })
})

describe('the check of the guarantees', () => {
  it.each([
    ['a test', PROVED],
    ['a test of several guarantees', `test('t', { timeout: 5, tags: ['api:a'] }, () => {})`],
    ['a test of many cases', `it.each<[string]>([['x']])('%s', { tags: 'api:a' }, () => {})`],
    ['a group of tests', `describe.skipIf(lack)('d', { tags: 'api:a' }, () => {})`],
  ])('accepts a guarantee that %s verifies', (_, test) => {
    expect(planted({ test })).toEqual([])
  })

  it.each([
    ['no test names', `it('t', () => {})`],
    ['only a comment names', `// it('t', { tags: 'api:a' }, () => {})`],
    ['only a call that is no test names', `createTag('t', { tags: 'api:a' })`],
  ])('reports a guarantee that %s', (_, test) => {
    expect(planted({ test })).toEqual(['api:a has the levels unit, and is proved by no test'])
  })

  it('reports a guarantee that only a skipped test verifies', () => {
    expect(planted({ test: `describe.skip('d', { tags: 'api:a' }, () => {})` })).toEqual([
      'test/unit/a.test.ts verifies api:a in a test that is skipped',
      'api:a has the levels unit, and is proved by no test',
    ])
  })

  it('reports a clause without a guarantee', () => {
    expect(planted({ clauses: { C1: 'A list has pages.', C2: 'A page has rows.' } })).toEqual([
      'no guarantee gives clause C2: A page has rows.',
    ])
  })

  it('reports a guarantee that is proved at another level, or by two files of one level', () => {
    const unit = 'test/unit/a.test.ts'
    const integration = 'test/integration/a.test.ts'
    const both = ['unit', 'integration']
    expect(planted({ guarantee: { levels: both }, paths: [unit, integration] })).toEqual([])
    expect(planted({ guarantee: { levels: both } })).toEqual([
      `api:a has the levels unit, integration, and is proved by ${unit}`,
    ])
    expect(planted({ guarantee: { levels: [] }, test: '' })).toHaveLength(1)
    expect(planted({ paths: [unit, 'test/unit/api/b.test.ts'] })).toEqual([
      `api:a has the levels unit, and is proved by ${unit}, test/unit/api/b.test.ts`,
    ])
  })

  it('reports a test that verifies an unknown id', () => {
    expect(planted({ test: `${PROVED}\nit('u', { tags: ['api:b'] }, () => {})` })).toEqual([
      'test/unit/a.test.ts verifies api:b, which is not in the list',
    ])
  })

  it.each([
    ['with an unknown id', '- `api:b`: Pages never shift.'],
    ['without an id', '- Pages never shift.'],
    ['of another package', '- `auth:a`: Pages never shift.'],
  ])('reports a guarantee %s', (_, line) => {
    expect(planted({ readme: page(GIVEN, line) })).toEqual([
      `api/README.md has a guarantee that is not in the list: ${line}`,
    ])
  })

  it('reports a guarantee that its README has in other words, twice or not at all', () => {
    const missing = 'no README gives api:a word for word, once'
    const other = '- `api:a`: Pages rarely shift.'
    expect(planted({ readme: page(other) })).toEqual([
      `api/README.md has a guarantee that is not in the list: ${other}`,
      missing,
    ])
    expect(planted({ readme: page(GIVEN, GIVEN) })).toEqual([missing])
    expect(planted({ readme: '# api\n\n- a\n' })).toEqual([missing])
    expect(planted({ readme: `# api\n\n## Files\n\n${GIVEN}\n` })).toEqual([missing])
  })
})
