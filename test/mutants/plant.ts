// Lists the small defects that a source can have: another operator, a negation that is missing, a call that is left out.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import typescript from 'typescript'

export type Place = { file: string; start: number; end: number; to: string }

/** `scope`: the names of the functions around the place, the innermost first. */
export type Mutant = Place & { line: number; from: string; scope: string[] }

/** What `look` sees while the defect is in the copy of the sources. */
export async function withDefect<Seen>(
  copy: string,
  { file, start, end, to }: Place,
  look: () => Seen,
): Promise<Awaited<Seen>> {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, source.slice(0, start) + to + source.slice(end))
  try {
    return await look()
  } finally {
    writeFileSync(path, source)
  }
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
}

const nameOf = (node: typescript.Node): string | undefined => {
  if (!typescript.isFunctionLike(node)) return undefined
  const named = node.name ?? (typescript.isVariableDeclaration(node.parent) && node.parent.name)
  return named ? named.getText() : undefined
}

/** What replaces a node, if it is one of the places where a defect is planted. */
const replacement = (node: typescript.Node): [typescript.Node, string] | undefined => {
  if (typescript.isBinaryExpression(node)) {
    const operator = OPERATORS[node.operatorToken.getText()]
    return operator === undefined ? undefined : [node.operatorToken, operator]
  }
  if (node.kind === typescript.SyntaxKind.TrueKeyword) return [node, 'false']
  if (node.kind === typescript.SyntaxKind.FalseKeyword) return [node, 'true']
  const isNot =
    typescript.isPrefixUnaryExpression(node) &&
    node.operator === typescript.SyntaxKind.ExclamationToken
  if (isNot) return [node, node.operand.getText()]
  if (typescript.isConditionalExpression(node)) return [node.condition, 'true']
  const isCall =
    typescript.isExpressionStatement(node) &&
    (typescript.isCallExpression(node.expression) || typescript.isAwaitExpression(node.expression))
  return isCall ? [node, ';'] : undefined
}

/** Types are no places, and neither is what runs once when the file is loaded. */
export function mutantsIn(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8')
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true)
  const found: Mutant[] = []
  const visit = (node: typescript.Node, scope: string[]): void => {
    if (typescript.isTypeNode(node)) return
    const name = nameOf(node)
    const inner = name === undefined ? scope : [name, ...scope]
    const [place, to] = replacement(node) ?? []
    if (place && to !== undefined && inner.length > 0) {
      const start = place.getStart()
      const line = source.getLineAndCharacterOfPosition(start).line + 1
      found.push({ file, line, start, end: place.end, from: place.getText(), to, scope: inner })
    }
    typescript.forEachChild(node, (child) => visit(child, inner))
  }
  visit(source, [])
  return found
}
