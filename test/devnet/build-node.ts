// Builds the devnet's chain node (wasmd) and the second verifier of proofs from the Go module proxy, once per version of their sources.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { checkRequirement } from '../support/suite/requirements.ts'

const run = promisify(execFile)
const moduleDir = fileURLToPath(new URL('./node', import.meta.url))
const cacheDir = fileURLToPath(new URL('../../.cache/devnet', import.meta.url))
const BUILD_TIMEOUT_MS = 25 * 60_000

export type ChainBinary = {
  path: string
  /** Contains libwasmvm, which the loader needs. */
  libraryDir: string
  /** A compiled contract that forwards any message. */
  contractPath: string
}

/** A missing requirement of the machine; the text contains the fix. */
class ToolMissingError extends Error {
  override readonly name = 'ToolMissingError'
}

function requireTools(): void {
  const problems = [checkRequirement('go'), checkRequirement('cc')].filter(
    (reason) => reason !== undefined,
  )
  if (problems.length > 0)
    throw new ToolMissingError(`the devnet cannot be built: ${problems.join('; ')}`)
}

/** GOTOOLCHAIN=auto lets an older Go download the version of go.mod; an existing setting is kept. */
function goEnvironment(): NodeJS.ProcessEnv {
  const setting = process.env['GOTOOLCHAIN']
  return { ...process.env, CGO_ENABLED: '1', ...(setting ? {} : { GOTOOLCHAIN: 'auto' }) }
}

async function go(...args: string[]): Promise<string> {
  const { stdout } = await run('go', args, {
    cwd: moduleDir,
    env: goEnvironment(),
    timeout: BUILD_TIMEOUT_MS,
    maxBuffer: 1 << 26,
  })
  return stdout.trim()
}

async function sourceStamp(source: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of ['go.mod', 'go.sum', source])
    hash.update(await readFile(`${moduleDir}/${name}`))
  return hash.digest('hex')
}

const isStamped = async (path: string, stamp: string): Promise<boolean> =>
  (await readFile(path, 'utf8').catch(() => '')) === stamp

function libraryName(): string {
  if (process.platform !== 'linux') {
    throw new ToolMissingError(`the devnet runs on Linux, not on ${process.platform}`)
  }
  return `libwasmvm.${arch() === 'arm64' ? 'aarch64' : 'x86_64'}.so`
}

/** Returns at once if the binary for this go.sum already exists. */
export async function buildNode(progress: (line: string) => void = () => {}): Promise<ChainBinary> {
  const library = libraryName()
  const built: ChainBinary = {
    path: `${cacheDir}/wasmd`,
    libraryDir: cacheDir,
    contractPath: `${cacheDir}/reflect.wasm`,
  }
  const stamp = await sourceStamp('tools.go')
  const stampPath = `${cacheDir}/stamp`
  if (await isStamped(stampPath, stamp)) return built

  requireTools()
  await mkdir(cacheDir, { recursive: true })
  progress('building the chain node from the Go module proxy (minutes, once)')
  await go('build', '-o', built.path, 'github.com/CosmWasm/wasmd/cmd/wasmd')
  const engine = await go('list', '-m', '-f', '{{.Dir}}', 'github.com/CosmWasm/wasmvm/v3')
  const chain = await go('list', '-m', '-f', '{{.Dir}}', 'github.com/CosmWasm/wasmd')
  await copyFile(`${engine}/internal/api/${library}`, `${cacheDir}/${library}`)
  await copyFile(`${chain}/x/wasm/keeper/testdata/reflect_2_0.wasm`, built.contractPath)
  // A copy from the read-only module cache is read-only too, but a later build must be able to replace it.
  await chmod(`${cacheDir}/${library}`, 0o644)
  await chmod(built.contractPath, 0o644)
  await writeFile(stampPath, stamp)
  return built
}

/** The path of the second verifier. */
export async function buildVerifier(): Promise<string> {
  const path = `${cacheDir}/verify-proof`
  const stamp = await sourceStamp('verify-proof/main.go')
  if (await isStamped(`${path}.stamp`, stamp)) return path
  requireTools()
  await mkdir(cacheDir, { recursive: true })
  await go('build', '-o', path, './verify-proof')
  await writeFile(`${path}.stamp`, stamp)
  return path
}

// For `npm test`, which builds it before any suite: a build takes all cores.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildNode(console.log)
  await buildVerifier()
}
