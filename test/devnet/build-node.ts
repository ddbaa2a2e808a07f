// Builds the chain nodes of the devnets from the Go module proxy, once per version of their sources.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cacheDir = fileURLToPath(new URL('../../.cache/devnet', import.meta.url))
const BUILD_TIMEOUT_MS = 45 * 60_000

/** The loader of a node needs it for the shared libraries. */
export const NODE_ENVIRONMENT = { ...process.env, LD_LIBRARY_PATH: cacheDir }

/** A compiled contract that forwards any message. */
export const CONTRACT_PATH = `${cacheDir}/reflect.wasm`

type Go = (...args: string[]) => Promise<string>

type Program = {
  /** The folder of its main module, with `go.mod` and `go.sum`. */
  module: string
  mainPackage: string
  /** Writes the sources that are not committed, into the folder `gen`. */
  generator?: string
  /** Copies what it needs from its modules to the cache. */
  copyFiles?: (go: Go) => Promise<void>
}

/** By their files in the cache. */
const PROGRAMS = {
  wasmd: {
    module: 'node',
    mainPackage: 'github.com/CosmWasm/wasmd/cmd/wasmd',
    copyFiles: async (go) => {
      const library = `libwasmvm.${arch() === 'arm64' ? 'aarch64' : 'x86_64'}.so`
      const engine = await go('list', '-m', '-f', '{{.Dir}}', 'github.com/CosmWasm/wasmvm/v3')
      const chain = await go('list', '-m', '-f', '{{.Dir}}', 'github.com/CosmWasm/wasmd')
      await copyWritable(`${engine}/internal/api/${library}`, `${cacheDir}/${library}`)
      await copyWritable(`${chain}/x/wasm/keeper/testdata/reflect_2_0.wasm`, CONTRACT_PATH)
    },
  },
  'rules-node': {
    module: 'rules-node',
    mainPackage: '.',
    generator: './generate',
  },
  'interchain-security-pd': {
    module: 'provider/node',
    mainPackage: 'github.com/cosmos/interchain-security/v7/cmd/interchain-security-pd',
  },
} satisfies Record<string, Program>

export type ProgramName = keyof typeof PROGRAMS

/** A copy from the read-only module cache is read-only too, but a later build must be able to replace it. */
async function copyWritable(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, 0o644)
}

const toModuleDir = ({ module }: Program): string =>
  fileURLToPath(new URL(`./${module}`, import.meta.url))

function createGo(program: Program): Go {
  return async (...args) => {
    const { stdout } = await run('go', args, {
      cwd: toModuleDir(program),
      // With GOTOOLCHAIN=auto an older Go downloads the version of go.mod; an existing setting is kept.
      env: { GOTOOLCHAIN: 'auto', ...process.env, CGO_ENABLED: '1' },
      timeout: BUILD_TIMEOUT_MS,
      maxBuffer: 1 << 26,
    })
    return stdout.trim()
  }
}

/** Of all that is committed of the module. */
async function computeStamp(dir: string): Promise<string> {
  const hash = createHash('sha256')
  const names = await readdir(dir, { recursive: true })
  const sources = names.filter((name) => /^(?!gen\/).*\.(?:go|mod|sum|proto)$/.test(name))
  for (const name of sources.sort()) hash.update(await readFile(`${dir}/${name}`))
  return hash.digest('hex')
}

/** Answers the path of the binary, at once if it exists for this version of its sources. */
export async function build(name: ProgramName): Promise<string> {
  const program: Program = PROGRAMS[name]
  const path = `${cacheDir}/${name}`
  const stamp = await computeStamp(toModuleDir(program))
  if ((await readFile(`${path}.stamp`, 'utf8').catch(() => '')) === stamp) return path
  await mkdir(cacheDir, { recursive: true })
  console.log(`building ${name} from the Go module proxy (minutes, once)`)
  const go = createGo(program)
  if (program.generator) await go('run', program.generator)
  await go('build', '-o', path, program.mainPackage)
  await program.copyFiles?.(go)
  await writeFile(`${path}.stamp`, stamp)
  return path
}

// For `npm test`, which builds them before any suite: a build takes all cores.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of Object.keys(PROGRAMS) as ProgramName[]) await build(name)
}
