// Bundles the verifier of proofs and its packages into one script, with which a page verifies in the browser.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

const ENTRY = 'infra/base/proof/verify-from-api.ts'
export const VERIFIER = 'api/html/assets/verifier.js'
const BANNER = `// Generated from ${ENTRY} by \`npm run build\`.`

/** Beside the other scripts of the pages, for the build and for tests that run the sources. */
export const bundleVerifier = async () => {
  const { outputFiles } = await build({
    absWorkingDir: path('.'),
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
  const [{ contents }] = outputFiles
  const file = path(VERIFIER)
  const present = await readFile(file).catch(() => undefined)
  if (present?.equals(contents)) return
  // Another process may read it now.
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, contents)
  await rename(unfinished, file)
}
