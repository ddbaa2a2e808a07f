// Compares the clauses, the guarantees, the READMEs and the tests that name the guarantees. Reads sources, runs no test.
import typescript from 'typescript'
import type { Guarantee } from '../../guarantees.ts'
import type { SourceFile } from './source-tree.ts'

export type Guarantees = {
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
const GUARANTEE = /^- `([a-z]+:[a-z0-9-]+)`: (.+)$/

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
        const [, id = '', sentence] = GUARANTEE.exec(line) ?? []
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
  if (proved.join() === [...levels].sort().join() && proved.length <= MOST_FILES) return []
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
export const guaranteeProblems = (guarantees: Guarantees): string[] => [
  ...clauseProblems(guarantees),
  ...readmeProblems(guarantees),
  ...citationProblems(guarantees),
]
