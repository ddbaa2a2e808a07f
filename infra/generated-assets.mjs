// Writes the scripts of the pages that are made from packages: the verifier of proofs, and the API reference.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const toPath = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

const ENTRY = 'infra/base/proof/verify-from-api.ts'
const BANNER = `// Generated from ${ENTRY} by \`npm run build\`.`

/** The verifier and its packages as one script, with which a page verifies in the browser. */
const bundleVerifier = async () => {
  const { outputFiles } = await build({
    absWorkingDir: toPath('.'),
    entryPoints: [ENTRY],
    banner: { js: BANNER },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'eof',
    logLevel: 'warning',
  })
  return outputFiles[0].contents
}

/** Scalar's API reference: the package for Fastify has it as one script, without the packages that it is built from. */
const readScalar = () =>
  readFile(toPath('node_modules/@scalar/fastify-api-reference/dist/js/standalone.js'))

const GENERATED = {
  'api/view/assets/verifier.js': bundleVerifier,
  'api/discovery/assets/scalar.js': readScalar,
}

export const GENERATED_ASSETS = Object.keys(GENERATED)

/** Beside the other scripts of the pages, for the build and for tests that run the sources. */
export const generateAssets = async () => {
  const writes = Object.entries(GENERATED).map(async ([name, generate]) => {
    const file = toPath(name)
    const [contents, present] = [await generate(), await readFile(file).catch(() => undefined)]
    if (present?.equals(contents)) return
    // Another process may read it now.
    const unfinished = `${file}.${process.pid}`
    await writeFile(unfinished, contents)
    await rename(unfinished, file)
  })
  await Promise.all(writes)
}
