// The words of code: names, comments and texts in TypeScript, by the same terms as the pages.
import typescript from 'typescript'
import { readSources, type SourceFile } from '../support/source/source-tree.ts'
import { TERMS } from './words.ts'

/** Folders whose code is in plain English. A folder joins the list once it has no problem; none may leave it. */
const CHECKED = [
  'auth/',
  'infra/app/commands/',
  'infra/app/doctor/',
  'infra/app/services/',
  'infra/app/terminal/',
  'infra/app/top/',
  'infra/html/',
  'infra/proof/',
  'infra/tools/proof/',
  'test/property/',
  'test/prose/',
  'test/unit/auth/',
  'test/unit/infra/app/',
  'test/unit/infra/runtime/',
  'test/unit/projections/',
]
/** It names the words. */
const EXCEPTED = ['test/prose/words.ts']

export const readCode = (): SourceFile[] =>
  readSources().filter(
    ({ path }) =>
      path.endsWith('.ts') &&
      CHECKED.some((folder) => path.startsWith(folder)) &&
      !EXCEPTED.includes(path),
  )

type Piece = { start: number; text: string }

/** `isHeldBack` → `is Held Back`. */
const separated = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, ' ')

const isText = (node: typescript.Node): node is typescript.LiteralLikeNode =>
  typescript.isStringLiteralLike(node) ||
  typescript.isTemplateHead(node) ||
  typescript.isTemplateMiddle(node) ||
  typescript.isTemplateTail(node)

/** Names and texts as the syntax has them. */
const collectPieces = (source: typescript.SourceFile): { pieces: Piece[]; literals: Piece[] } => {
  const pieces: Piece[] = []
  const literals: Piece[] = []
  const visit = (node: typescript.Node): void => {
    const start = node.getStart(source)
    if (typescript.isIdentifier(node)) pieces.push({ start, text: separated(node.text) })
    if (isText(node)) pieces.push({ start, text: node.text })
    const isLiteral = isText(node) || typescript.isRegularExpressionLiteral(node)
    if (isLiteral) literals.push({ start, text: node.getText(source) })
    typescript.forEachChild(node, visit)
  }
  visit(source)
  return { pieces, literals }
}

/** Lines of a comment belong together. */
const COMMENT = /(?:\/\/.*\n\s*)*\/\/.*|\/\*[\s\S]*?\*\//g
const CODE_IN_COMMENT = /`[^`]*`/g

const findComments = (text: string, literals: readonly Piece[]): Piece[] => {
  const blanked = literals.reduce(
    (rest, { start, text: { length } }) =>
      rest.slice(0, start) + ' '.repeat(length) + rest.slice(start + length),
    text,
  )
  return [...blanked.matchAll(COMMENT)].map(({ index, 0: comment }) => ({
    start: index,
    text: comment.replaceAll(CODE_IN_COMMENT, (code) => ' '.repeat(code.length)),
  }))
}

/** A comment may have the second word on its next line. */
const BETWEEN_WORDS = String.raw`\s+(?:(?://|\*)\s*)?`

const PATTERNS = TERMS.map(([pattern, replacement]) => ({
  pattern: new RegExp(`\\b(?:${pattern.replaceAll(' ', BETWEEN_WORDS)})\\b`, 'i'),
  replacement,
}))

/** Every term in the names, comments and texts of a file, as a line that names the place. */
export const codeProblems = ({ path, text }: SourceFile): string[] => {
  const source = typescript.createSourceFile(path, text, typescript.ScriptTarget.Latest, true)
  const { pieces, literals } = collectPieces(source)
  return [...pieces, ...findComments(text, literals)].flatMap((piece) =>
    PATTERNS.flatMap(({ pattern, replacement }) => {
      const found = pattern.exec(piece.text)
      if (!found) return []
      const { line } = source.getLineAndCharacterOfPosition(piece.start)
      return [`${path}:${line + 1} “${found[0]}”, use ${replacement}`]
    }),
  )
}
