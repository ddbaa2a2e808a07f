// What is loaded together with a module: everything it imports and that those import, type imports left out.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import typescript from 'typescript'

/** A type alone, or nothing but types in braces, loads nothing; `import()` loads only when it is run. */
const loadedBy = (text: string): string[] => {
  const source = typescript.createSourceFile('a.ts', text, typescript.ScriptTarget.Latest)
  return source.statements.flatMap((statement) => {
    const isImport = typescript.isImportDeclaration(statement)
    if (!isImport && !typescript.isExportDeclaration(statement)) return []
    const isType = isImport
      ? statement.importClause?.phaseModifier === typescript.SyntaxKind.TypeKeyword
      : statement.isTypeOnly
    const { moduleSpecifier } = statement
    if (isType || !moduleSpecifier || !typescript.isStringLiteral(moduleSpecifier)) return []
    return [moduleSpecifier.text]
  })
}

export type Loaded = { files: Set<string>; packages: Set<string> }

/** `entry` is relative to the top of the repository, where tests run. */
export const loadedWith = (
  entry: string,
  seen: Loaded = { files: new Set(), packages: new Set() },
): Loaded => {
  if (seen.files.has(entry) || !existsSync(entry)) return seen
  seen.files.add(entry)
  for (const specifier of loadedBy(readFileSync(entry, 'utf8'))) {
    if (specifier.startsWith('.')) loadedWith(posix.join(dirname(entry), specifier), seen)
    else if (!specifier.startsWith('node:')) seen.packages.add(specifier)
  }
  return seen
}
