// Bundles the sources of a child into one JavaScript file per test file, because it is started hundreds of times.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

export type Bundle = {
  url: URL
  /** Where its processes can keep their compiled code. */
  compileCache: string
  remove(): void
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Inside the repository: external modules are found in its `node_modules`, and files of the product by their paths. */
const CACHE = join(ROOT, '.cache')
/** These modules have native parts. */
const OUTSIDE = ['libsql', 'ffi-rs']
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"

const toChildPath = (name: string): string =>
  fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url))

/** A file of `children/` that replaces every source with that file name; it may import the source itself. */
const replaceSource = (source: string, name: string): Plugin => ({
  name: 'replace a source',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/ }, ({ path, importer }) =>
      basename(path) === source && importer !== toChildPath(name)
        ? { path: toChildPath(name) }
        : undefined,
    ),
})

/** `name` is a file of `children/`, without its extension. `replaced`: other files by the source that they replace. */
export const bundleChild = async (
  name: string,
  replaced: Readonly<Record<string, string>> = {},
): Promise<Bundle> => {
  mkdirSync(CACHE, { recursive: true })
  const directory = mkdtempSync(join(CACHE, `sim-${name}-`))
  const file = join(directory, `${name}.mjs`)
  await build({
    entryPoints: [toChildPath(name)],
    plugins: Object.entries(replaced).map(([source, by]) => replaceSource(source, by)),
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: OUTSIDE,
    banner: { js: REQUIRE },
    logLevel: 'error',
  })
  return {
    url: pathToFileURL(file),
    compileCache: join(directory, 'compiled'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
