// Makes one JavaScript file of a child's sources, once per test file: a process that is started hundreds of times must start fast.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

export type Bundle = { url: URL; remove(): void }

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Below the repository, so that what stays outside the bundle is found in its `node_modules`. */
const CACHE = join(ROOT, '.cache')
/** They have native parts of their own. */
const OUTSIDE = ['lmdb', 'ffi-rs']
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** `name` is a file of `children/`, without its ending. */
export const bundleChild = async (name: string): Promise<Bundle> => {
  mkdirSync(CACHE, { recursive: true })
  const directory = mkdtempSync(join(CACHE, `sim-${name}-`))
  const file = join(directory, `${name}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url))],
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
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
