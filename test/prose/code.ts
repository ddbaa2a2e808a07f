// The words of code: names, comments and texts, by the same terms and lengths as the pages.
import { split } from 'sentence-splitter'
import typescript from 'typescript'
import { isCode, readSources, type SourceFile } from '../support/source/source-tree.ts'
import { countWords, hideCode, MOST_WORDS } from './rules.ts'
import { TERMS } from './words.ts'

/** They name the words, or plant them. */
const EXCEPTED = ['test/prose/words.ts', 'test/prose.test.ts']

export const readCode = (): SourceFile[] =>
  readSources().filter((file) => isCode(file) && !EXCEPTED.includes(file.path))

type Piece = { start: number; text: string }
type Pieces = { names: Piece[]; texts: Piece[]; literals: Piece[] }

/** `isHeldBack` → `is Held Back`. */
const separated = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, ' ')

const isTemplatePart = (node: typescript.Node): node is typescript.LiteralLikeNode =>
  typescript.isTemplateHead(node) || typescript.isTemplateMiddleOrTemplateTail(node)

/** A template as a reader sees it: each expression is one word. */
const toText = (node: typescript.TemplateExpression): string =>
  node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('')

/** Names and texts as the syntax has them. `literals` are the ranges that have no comment. */
const readPieces = (source: typescript.SourceFile): Pieces => {
  const pieces: Pieces = { names: [], texts: [], literals: [] }
  const visit = (node: typescript.Node): void => {
    const start = node.getStart(source)
    const isText = typescript.isStringLiteralLike(node)
    if (typescript.isIdentifier(node)) pieces.names.push({ start, text: separated(node.text) })
    if (isText) pieces.texts.push({ start, text: node.text })
    if (typescript.isTemplateExpression(node)) pieces.texts.push({ start, text: toText(node) })
    if (isText || isTemplatePart(node) || typescript.isRegularExpressionLiteral(node)) {
      pieces.literals.push({ start, text: node.getText(source) })
    }
    typescript.forEachChild(node, visit)
  }
  visit(source)
  return pieces
}

/** Lines of a comment belong together. */
const COMMENT = /(?:\/\/.*\n\s*)*\/\/.*|\/\*[\s\S]*?\*\//g
const MARKS = /^[ \t]*(?:\/\/|\/\*\*?|\*\/|\*)|\*\/$/gm

const readComments = (text: string, literals: readonly Piece[]): Piece[] => {
  const blanked = literals.reduce(
    (rest, { start, text: { length } }) =>
      rest.slice(0, start) + ' '.repeat(length) + rest.slice(start + length),
    text,
  )
  return [...blanked.matchAll(COMMENT)].map(({ index, 0: comment }) => ({
    start: index,
    text: hideCode(comment.replaceAll(MARKS, ({ length }) => ' '.repeat(length))),
  }))
}

const PATTERNS = TERMS.map(([pattern, replacement]) => ({
  pattern: new RegExp(`\\b(?:${pattern.replaceAll(' ', String.raw`\s+`)})\\b`, 'i'),
  replacement,
}))

const termProblems = (text: string): string[] =>
  PATTERNS.flatMap(({ pattern, replacement }) => {
    const found = pattern.exec(text)
    return found ? [`“${found[0]}”, use ${replacement}`] : []
  })

/** Markup, SQL and whole documents are no sentences. */
const isProse = (text: string): boolean => !/[<\n]|\b(?:SELECT|FROM|WHERE)\b/.test(text)

const lengthProblems = (text: string): string[] =>
  split(text).flatMap(({ type, raw }) =>
    type === 'Sentence' && countWords(raw) > MOST_WORDS
      ? [`${countWords(raw)} words in one sentence, at most ${MOST_WORDS}`]
      : [],
  )

/** Every problem in the names, comments and texts of a file, as a line that names the place. */
export const codeProblems = ({ path, text }: SourceFile): string[] => {
  const source = typescript.createSourceFile(path, text, typescript.ScriptTarget.Latest, true)
  const { names, texts, literals } = readPieces(source)
  const comments = readComments(text, literals)
  const found = [
    ...[...names, ...texts, ...comments].map((piece) => [piece, termProblems(piece.text)] as const),
    ...[...texts.filter((piece) => isProse(piece.text)), ...comments].map(
      (piece) => [piece, lengthProblems(hideCode(piece.text))] as const,
    ),
  ]
  return found.flatMap(([{ start }, problems]) => {
    const { line } = source.getLineAndCharacterOfPosition(start)
    return problems.map((problem) => `${path}:${line + 1} ${problem}`)
  })
}
