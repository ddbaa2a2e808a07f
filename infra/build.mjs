// Builds dist/: one bundle for each process and each module of `rollcall/proof`, and the files that they read. It checks no
// types, so a start is fast; `npm run typecheck` does.
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { GENERATED_ASSETS, generateAssets } from './generated-assets.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
const INPUTS = join(DIST, '.inputs')

const ENTRY_POINTS = [
  'infra/app/cli.ts',
  'infra/base/clickhouse/engine-process.ts',
  'infra/base/proof/*.ts',
]
const PACKAGES = ['ingest', 'projections', 'api', 'auth', 'infra']
/** What processes read, by the folder or the name. */
const ASSET = /\/(?:assets|recording)\/|\.sql$|\.binpb\.br$/

const listFiles = async (folder) => {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
}

/** Every file that a build reads, with its size and time: a build of the same files is not repeated. */
const describeInputs = async (sources) => {
  const paths = ['package-lock.json', 'package.json', ...sources].filter(
    (path) => !GENERATED_ASSETS.includes(path),
  )
  const lines = paths.map(async (path) => {
    const { size, mtimeMs } = await stat(join(ROOT, path))
    return `${path} ${size} ${mtimeMs}\n`
  })
  return Buffer.from((await Promise.all(lines)).sort().join(''))
}

/** A package in `dependencies` is loaded when a process starts; of others, what is used becomes part of the bundles. */
const bundle = async () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  )
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRY_POINTS,
    outdir: DIST,
    outbase: '.',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    // Processes share state and code between entry points.
    splitting: true,
    write: false,
    external: Object.keys({ ...dependencies, ...optionalDependencies }),
    // For `node --enable-source-maps`.
    sourcemap: 'linked',
    sourcesContent: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  })
  return outputFiles.map(({ path, contents }) => [relative(DIST, path), contents])
}

const readSource = async (path) => [path, await readFile(join(ROOT, path))]

/** Of the packages that are part of the build, where the build has them. */
const LICENSES = {
  'chunks/typebox.license': 'node_modules/typebox/license',
  'api/discovery/assets/scalar.license': 'node_modules/@scalar/fastify-api-reference/LICENSE',
}

const readLicense = async ([path, source]) => [path, await readFile(join(ROOT, source))]

const writeChanged = async (path, contents) => {
  const file = join(DIST, path)
  const present = await readFile(file).catch(() => undefined)
  if (present?.equals(contents)) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, contents, { mode: path.endsWith('/cli.js') ? 0o755 : 0o644 })
}

const buildAll = async (sources, inputs) => {
  const [bundles] = await Promise.all([bundle(), generateAssets()])
  const assets = [...new Set([...sources, ...GENERATED_ASSETS])].filter((path) => ASSET.test(path))
  const copied = [...assets, 'package.json'].map(readSource)
  const licenses = Object.entries(LICENSES).map(readLicense)
  const files = new Map([...bundles, ...(await Promise.all([...copied, ...licenses]))])
  await Promise.all([...files].map(([path, contents]) => writeChanged(path, contents)))
  // A file that was removed from the sources must not remain in the build.
  for (const path of (await listFiles('dist')).map((each) => relative('dist', each))) {
    if (!files.has(path)) await rm(join(DIST, path))
  }
  // Last, because it marks a complete build.
  await writeFile(INPUTS, inputs)
}

const sources = (await Promise.all(PACKAGES.map(listFiles))).flat()
const inputs = await describeInputs(sources)
const present = await readFile(INPUTS).catch(() => undefined)
if (!present?.equals(inputs)) await buildAll(sources, inputs)
