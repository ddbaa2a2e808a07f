// Finds the files of the product by their paths in the repository. A build has the same paths in dist/, except those of code:
// it is in bundles at other depths.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const findRoot = (folder: URL): URL =>
  existsSync(new URL('package.json', folder)) ? folder : findRoot(new URL('..', folder))

const ROOT = findRoot(new URL('.', import.meta.url))

/** `path` begins at the root folder: `api/html/assets/page.js`. */
export const locateFile = (path: string): string => fileURLToPath(new URL(path, ROOT))

/** Whether the sources run themselves, without a build. */
export const isSource = import.meta.url.endsWith('.ts')

/** The file of a module that runs as a process of its own; `path` has no extension. */
export const locateModule = (path: string): string =>
  locateFile(`${path}.${isSource ? 'ts' : 'js'}`)

export const readVersion = (): string => {
  const text = readFileSync(locateFile('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
