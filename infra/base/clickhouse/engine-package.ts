// The package with the library of the engine: which platforms have one, and why a machine has none.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
}

export const ENGINE_PLATFORMS = 'Linux with glibc and macOS, on x64 and arm64'

export type Platform = { platform: string; arch: string; isMusl: boolean }

/** A report takes milliseconds: only read where there is no engine. */
export const readPlatform = (): Platform => {
  const { platform, arch } = process
  // Otherwise the report resolves the names of network interfaces.
  const report = Object.assign(process.report, { excludeNetwork: true })
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return { platform, arch, isMusl: platform === 'linux' && !header?.glibcVersionRuntime }
}

/** The path of its library; undefined if it is not installed. */
export const findEngineLibrary = ({
  platform,
  arch,
}: Pick<Platform, 'platform' | 'arch'>): string | undefined => {
  try {
    const name = PACKAGES[`${platform}-${arch}`]
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return join(dirname(manifest), 'libchdb.so')
  } catch {
    return undefined
  }
}

export const explainMissingEngine = ({ platform, arch, isMusl }: Platform): string => {
  const name = isMusl ? undefined : PACKAGES[`${platform}-${arch}`]
  return name === undefined
    ? `no embedded ClickHouse for ${platform}-${arch}${isMusl ? ' with musl' : ''}: it is for ${ENGINE_PLATFORMS}`
    : `the package ${name} of the embedded ClickHouse is not installed`
}
