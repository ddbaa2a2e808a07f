// Tests of the platforms with an embedded ClickHouse: README, the message of a start and the lockfile name the same ones.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  ENGINE_PLATFORMS,
  explainMissingEngine,
  findEngineLibrary,
  type Platform,
  readPlatform,
} from '../../../../../infra/base/clickhouse/engine-package.ts'

type Locked = { os?: string[]; cpu?: string[]; libc?: string[]; optional?: boolean }
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}

/** Their native parts are packages of their own, one for each platform. */
const NATIVE = { engine: /@chdb\/lib-/, log: /@libsql\//, calls: /@yuuang\/ffi-rs-/ }

const hasPackage = (name: RegExp, { platform, arch }: Pick<Platform, 'platform' | 'arch'>) =>
  Object.entries(packages).some(
    ([path, { os = [], cpu = [], libc = ['glibc'], optional }]) =>
      name.test(path) &&
      optional === true &&
      os.includes(platform) &&
      cpu.includes(arch) &&
      (platform !== 'linux' || libc.includes('glibc')),
  )

const PLATFORMS = ['linux', 'darwin'].flatMap((platform) =>
  ['x64', 'arm64'].map((arch) => ({ platform, arch })),
)

describe('the platforms of the engine', () => {
  it.each(PLATFORMS)('include $platform on $arch, with every native package', (platform) => {
    for (const name of Object.values(NATIVE)) expect(hasPackage(name, platform)).toBe(true)
    expect(explainMissingEngine({ ...platform, isMusl: false })).toMatch(/ is not installed$/)
  })

  it('are those of README', () => {
    expect(readFileSync('README.md', 'utf8')).toContain(ENGINE_PLATFORMS)
  })

  it('include neither musl nor Windows, and the message says so', () => {
    for (const platform of [
      { platform: 'linux', arch: 'x64', isMusl: true },
      { platform: 'win32', arch: 'x64', isMusl: false },
    ]) {
      expect(explainMissingEngine(platform)).toMatch(/^no embedded ClickHouse for \S+/)
      expect(explainMissingEngine(platform)).toContain(ENGINE_PLATFORMS)
    }
    expect(hasPackage(NATIVE.engine, { platform: 'win32', arch: 'x64' })).toBe(false)
  })

  it('include this machine, because its tests use the engine', () => {
    expect(findEngineLibrary(process)).toMatch(/libchdb\.so$/)
    const { platform, arch } = process
    expect(readPlatform()).toEqual({ platform, arch, isMusl: false })
    expect(findEngineLibrary({ platform: 'aix', arch: 'ppc64' })).toBeUndefined()
  })
})
