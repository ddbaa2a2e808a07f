// Installs Python packages from PyPI once into the user's cache, in the pinned versions, and runs them.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runWell } from './command.ts'

const INSTALL_DEADLINE_MS = 600_000

export type PythonPackages = {
  /** Name of the folder in the cache. */
  name: string
  requirements: string
  /** Other files that `requirements` includes. */
  includes?: readonly string[]
}

const cacheFolder = ({ name, requirements, includes = [] }: PythonPackages): string => {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const hash = createHash('sha256')
  for (const file of [requirements, ...includes]) hash.update(readFileSync(file))
  return join(base, 'rollcall', `${name}-${hash.digest('hex').slice(0, 12)}`)
}

const must = (command: string, args: readonly string[]) =>
  runWell(command, args, { deadlineMs: INSTALL_DEADLINE_MS })

/** Renamed when complete, because another run may install too, or this one may be interrupted. */
const install = async (folder: string, requirements: string): Promise<void> => {
  await mkdir(join(folder, '..'), { recursive: true })
  const temporary = await mkdtemp(`${folder}-`)
  try {
    await must('python3', ['-m', 'venv', temporary])
    const pip = ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]
    await must(join(temporary, 'bin', 'python'), pip)
    if (!existsSync(folder)) await rename(temporary, folder)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/**
 * The path of an interpreter with the packages. Run modules with it: a script contains the interpreter path of the
 * folder of its installation.
 */
export const pythonWith = async (packages: PythonPackages): Promise<string> => {
  const folder = cacheFolder(packages)
  if (!existsSync(folder)) await install(folder, packages.requirements)
  return join(folder, 'bin', 'python')
}
