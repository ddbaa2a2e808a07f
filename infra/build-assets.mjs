// Completes the build in dist/: migrations, recordings, schemas, assets, package.json and a bundled package.
import { chmod, copyFile, cp, readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleTypebox } from './bundle-typebox.mjs'
import { bundleVerifier } from './bundle-verifier.mjs'

const root = new URL('..', import.meta.url)
const path = (name) => fileURLToPath(new URL(name, root))

const PACKAGES = ['ingest', 'projections', 'api', 'auth', 'infra']
/** Directories without code, by name. */
const COPIED = ['assets', 'migrations', 'recording']

/** Data files beside the code that reads them. */
const COPIED_FILE = /\.binpb\.br$/

const isCopied = (entry) =>
  entry.isDirectory() ? COPIED.includes(entry.name) : COPIED_FILE.test(entry.name)

/** An absent package has none. */
const listAssets = async (folder) => {
  const entries = await readdir(path(folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return entries
    .filter(isCopied)
    .map((entry) => `${(entry.parentPath ?? entry.path).slice(path('.').length)}/${entry.name}`)
}

await bundleVerifier()
for (const asset of (await Promise.all(PACKAGES.map(listAssets))).flat()) {
  const target = path(`dist/${asset}`)
  // A file that was removed from the sources must not remain in the build.
  await rm(target, { recursive: true, force: true })
  await cp(path(asset), target, { recursive: true })
}
await bundleTypebox()
await copyFile(path('package.json'), path('dist/package.json'))
await chmod(path('dist/infra/app/cli.js'), 0o755)
