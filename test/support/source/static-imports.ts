// Lists the modules that are loaded with a module: its imports and their imports, without type imports.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'

/** `import type` loads nothing, and `import()` loads only when it runs. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm

export type Loaded = { files: Set<string>; packages: Set<string> }

/** `entry` is relative to the root of the repository, where tests run. */
export const loadedWith = (
  entry: string,
  seen: Loaded = { files: new Set(), packages: new Set() },
): Loaded => {
  if (seen.files.has(entry) || !existsSync(entry)) return seen
  seen.files.add(entry)
  for (const [, specifier = ''] of readFileSync(entry, 'utf8').matchAll(STATIC)) {
    if (specifier.startsWith('.')) loadedWith(posix.join(dirname(entry), specifier), seen)
    else if (!specifier.startsWith('node:')) seen.packages.add(specifier)
  }
  return seen
}
