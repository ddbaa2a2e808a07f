// Schemathesis as PyPI has it: installed once into the user's cache, in the versions that test/tools names, and run from there.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandRun, runToEnd } from '../process/command.ts'

const REQUIREMENTS = fileURLToPath(new URL('../../tools/requirements.txt', import.meta.url))
const INSTALL_DEADLINE_MS = 300_000

const cacheFolder = (): string => {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12)
  return join(base, 'rollcall', `schemathesis-${wanted}`)
}

const must = async (command: string, args: readonly string[]): Promise<void> => {
  const { code, stderr } = await runToEnd(command, args, { deadlineMs: INSTALL_DEADLINE_MS })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stderr}`)
}

/** Renamed when whole: somebody else may install at the same time, or this may be interrupted. */
const install = async (folder: string): Promise<void> => {
  await mkdir(join(folder, '..'), { recursive: true })
  const aside = await mkdtemp(`${folder}-`)
  try {
    await must('python3', ['-m', 'venv', aside])
    const pip = ['-m', 'pip', 'install', '--quiet', '--requirement', REQUIREMENTS]
    await must(join(aside, 'bin', 'python'), pip)
    if (!existsSync(folder)) await rename(aside, folder)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

export const runSchemathesis = async (
  args: readonly string[],
  options: { cwd: string; deadlineMs: number },
): Promise<CommandRun> => {
  const folder = cacheFolder()
  if (!existsSync(folder)) await install(folder)
  // By its module: a script names the interpreter of the folder that it was installed in.
  const command = ['-c', 'from schemathesis.cli import schemathesis; schemathesis()', ...args]
  return runToEnd(join(folder, 'bin', 'python'), command, options)
}
