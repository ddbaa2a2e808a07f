// Checks the syntax of code: which function may be named `xOf`, and no spread of a literal into its own kind.
import typescript from 'typescript'

type SourceFile = Readonly<Record<'path' | 'text', string>>

const children = (node: typescript.Node): typescript.Node[] => {
  const found: typescript.Node[] = []
  typescript.forEachChild(node, (child) => void found.push(child))
  return found
}

const withDescendants = (node: typescript.Node): typescript.Node[] => [
  node,
  ...children(node).flatMap(withDescendants),
]

const isFunction = (
  node: typescript.Node | undefined,
): node is typescript.ArrowFunction | typescript.FunctionExpression =>
  node !== undefined && (typescript.isArrowFunction(node) || typescript.isFunctionExpression(node))

type NamedFunction = { name: string; body: typescript.Node | undefined }

const toNamedFunction = (node: typescript.Node): NamedFunction | undefined => {
  if (typescript.isFunctionDeclaration(node)) {
    return { name: node.name?.text ?? '', body: node.body }
  }
  return typescript.isVariableDeclaration(node) &&
    typescript.isIdentifier(node.name) &&
    isFunction(node.initializer)
    ? { name: node.name.text, body: node.initializer.body }
    : undefined
}

/** The values that the function itself returns, without those of inner functions. */
const returnedFrom = (body: typescript.Node): typescript.Node[] => {
  if (!typescript.isBlock(body)) return [body]
  const visit = (node: typescript.Node): typescript.Node[] => {
    if (isFunction(node) || typescript.isFunctionDeclaration(node)) return []
    if (typescript.isReturnStatement(node)) return node.expression ? [node.expression] : []
    return children(node).flatMap(visit)
  }
  return visit(body)
}

const unwrapped = (node: typescript.Node): typescript.Node[] => {
  if (typescript.isParenthesizedExpression(node)) return unwrapped(node.expression)
  if (typescript.isConditionalExpression(node)) {
    return [...unwrapped(node.whenTrue), ...unwrapped(node.whenFalse)]
  }
  return [node]
}

const BUILDING_CALLS = /^(?:map|flatMap|join|fromEntries|from|stringify)$/

const isBuilt = (node: typescript.Node): boolean =>
  typescript.isObjectLiteralExpression(node) ||
  typescript.isNewExpression(node) ||
  typescript.isTemplateExpression(node) ||
  isFunction(node) ||
  (typescript.isArrayLiteralExpression(node) && node.elements.length > 0) ||
  (typescript.isCallExpression(node) &&
    typescript.isPropertyAccessExpression(node.expression) &&
    BUILDING_CALLS.test(node.expression.name.text))

const isLiteralSpread = (node: typescript.Node): boolean =>
  (typescript.isSpreadAssignment(node) && typescript.isObjectLiteralExpression(node.expression)) ||
  (typescript.isSpreadElement(node) && typescript.isArrayLiteralExpression(node.expression))

/** `asOf` is a member of answers, and `oneOf` a schema. */
const BUILDER_NAME = /(?<!^one|As)Of$/

/** Functions named `xOf` that build something, and spreads that only save line breaks. */
export const syntaxProblems = ({ path, text }: SourceFile): string[] => {
  const source = typescript.createSourceFile(path, text, typescript.ScriptTarget.Latest, true)
  return withDescendants(source).flatMap((node) => {
    const line = (): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    if (isLiteralSpread(node)) return [`${path}:${line()} spreads a literal: write its members`]
    const { name = '', body } = toNamedFunction(node) ?? {}
    return BUILDER_NAME.test(name) && body && returnedFrom(body).flatMap(unwrapped).some(isBuilt)
      ? [`${path}:${line()} ${name} builds what it returns: name it createX, toX or buildX`]
      : []
  })
}
