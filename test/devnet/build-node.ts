// Builds the chain nodes of the devnets and the second verifier of proofs from the Go module proxy, once per version of their sources.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { checkRequirement } from '../support/suite/requirements.ts'

const run = promisify(execFile)
const cacheDir = fileURLToPath(new URL('../../.cache/devnet', import.meta.url))
const BUILD_TIMEOUT_MS = 25 * 60_000

type Go = (...args: string[]) => Promise<string>

type Program = {
  /** Its file in the cache. */
  name: string
  /** The folder of its main module, with `go.mod` and `go.sum`. */
  module: string
  /** The file of the module that imports or contains the main package, or the folder of all its sources. */
  source: string
  mainPackage: string
  /** Writes the sources that are not committed, into the folder `gen`. */
  generator?: string
  /** Copies what it needs from its modules to the cache. */
  copyFiles?: (go: Go) => Promise<void>
}

export type NodeBinary = {
  path: string
  /** The shared libraries that the loader needs, if any. */
  libraryDir: string
}

export type WasmdBinary = NodeBinary & {
  /** A compiled contract that forwards any message. */
  contractPath: string
}

const contractPath = `${cacheDir}/reflect.wasm`

const WASMD: Program = {
  name: 'wasmd',
  module: 'node',
  source: 'tools.go',
  mainPackage: 'github.com/CosmWasm/wasmd/cmd/wasmd',
  copyFiles: async (go) => {
    const library = `libwasmvm.${arch() === 'arm64' ? 'aarch64' : 'x86_64'}.so`
    const engine = await go('list', '-m', '-f', '{{.Dir}}', 'github.com/CosmWasm/wasmvm/v3')
    const chain = await go('list', '-m', '-f', '{{.Dir}}', 'github.com/CosmWasm/wasmd')
    await copyWritable(`${engine}/internal/api/${library}`, `${cacheDir}/${library}`)
    const contracts = `${chain}/x/wasm/keeper/testdata`
    await copyWritable(`${contracts}/reflect_2_0.wasm`, contractPath)
  },
}

const RULES: Program = {
  name: 'rules-node',
  module: 'rules-node',
  source: '.',
  mainPackage: '.',
  generator: './generate',
}

const PROVIDER: Program = {
  name: 'interchain-security-pd',
  module: 'provider/node',
  source: 'tools.go',
  mainPackage: 'github.com/cosmos/interchain-security/v7/cmd/interchain-security-pd',
}

const VERIFIER: Program = {
  name: 'verify-proof',
  module: 'node',
  source: 'verify-proof/main.go',
  mainPackage: './verify-proof',
}

/** A missing requirement of the machine; the text contains the fix. */
class ToolMissingError extends Error {
  override readonly name = 'ToolMissingError'
}

function requireTools(): void {
  if (process.platform !== 'linux') {
    throw new ToolMissingError(`the devnet runs on Linux, not on ${process.platform}`)
  }
  const problems = [checkRequirement('go'), checkRequirement('cc')].filter(
    (reason) => reason !== undefined,
  )
  if (problems.length > 0)
    throw new ToolMissingError(`the devnet cannot be built: ${problems.join('; ')}`)
}

/** A copy from the read-only module cache is read-only too, but a later build must be able to replace it. */
async function copyWritable(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, 0o644)
}

/** GOTOOLCHAIN=auto lets an older Go download the version of go.mod; an existing setting is kept. */
function goEnvironment(): NodeJS.ProcessEnv {
  const setting = process.env['GOTOOLCHAIN']
  return { ...process.env, CGO_ENABLED: '1', ...(setting ? {} : { GOTOOLCHAIN: 'auto' }) }
}

const toModuleDir = ({ module }: Program): string =>
  fileURLToPath(new URL(`./${module}`, import.meta.url))

function createGo(program: Program): Go {
  return async (...args) => {
    const { stdout } = await run('go', args, {
      cwd: toModuleDir(program),
      env: goEnvironment(),
      timeout: BUILD_TIMEOUT_MS,
      maxBuffer: 1 << 26,
    })
    return stdout.trim()
  }
}

/** The file itself, or what is committed of a folder, in a fixed order. */
async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((file) => !file.includes('/gen/'))
    .sort()
}

async function computeStamp(program: Program): Promise<string> {
  const hash = createHash('sha256')
  for (const name of ['go.mod', 'go.sum', program.source])
    for (const file of await listFiles(`${toModuleDir(program)}/${name}`))
      hash.update(await readFile(file))
  return hash.digest('hex')
}

type Progress = (line: string) => void

/** Returns at once if the binary for this version of its sources already exists. */
async function build(program: Program, progress: Progress): Promise<NodeBinary> {
  const built = { path: `${cacheDir}/${program.name}`, libraryDir: cacheDir }
  const stamp = await computeStamp(program)
  const stampPath = `${built.path}.stamp`
  if ((await readFile(stampPath, 'utf8').catch(() => '')) === stamp) return built
  requireTools()
  await mkdir(cacheDir, { recursive: true })
  progress(`building ${program.name} from the Go module proxy (minutes, once)`)
  const go = createGo(program)
  if (program.generator) await go('run', program.generator)
  await go('build', '-o', built.path, program.mainPackage)
  await program.copyFiles?.(go)
  await writeFile(stampPath, stamp)
  return built
}

const noProgress: Progress = () => {}

/** `wasmd`, the node of the scenario. */
export const buildNode = async (progress = noProgress): Promise<WasmdBinary> => ({
  ...(await build(WASMD, progress)),
  contractPath,
})

/** A chain of Cosmos SDK 0.54 that counts by a rule of choice. */
export const buildRulesNode = (progress = noProgress): Promise<NodeBinary> => build(RULES, progress)

/** The provider chain of Interchain Security, which counts the first pools only. */
export const buildProviderNode = (progress = noProgress): Promise<NodeBinary> =>
  build(PROVIDER, progress)

/** The path of the second verifier. */
export const buildVerifier = async (): Promise<string> => (await build(VERIFIER, noProgress)).path

// For `npm test`, which builds them before any suite: a build takes all cores.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const program of [WASMD, VERIFIER, RULES, PROVIDER]) await build(program, console.log)
}
