// Common generators of clients, in the versions of test/tools/clients. Each writes a client into a folder.
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandOptions, type CommandRun, runToEnd } from '../process/command.ts'
import { installLocked } from '../suite/checkers.ts'

const TOOLS = fileURLToPath(new URL('../../tools/clients/', import.meta.url))

/** Throws with the output of a command that fails. */
export const runWell = async (
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandRun> => {
  const run = await runToEnd(command, args, options)
  if (run.code === 0) return run
  throw new Error(
    `${command} ${args.join(' ')} ended with ${run.code}:\n${run.stdout}${run.stderr}`,
  )
}

export const installGenerators = async (): Promise<void> => {
  await installLocked(TOOLS)
}

/** The path of an executable of the lockfile. */
const executable = (name: string): string => join(TOOLS, 'node_modules', '.bin', name)

/** Makes the packages of the lockfile available to the sources in a folder. */
export const linkPackages = async (folder: string): Promise<void> => {
  const link = join(folder, 'node_modules')
  if (!existsSync(link)) await symlink(join(TOOLS, 'node_modules'), link)
}

/** Runs an executable of the lockfile in a folder. */
export const runGenerator = (
  name: string,
  args: readonly string[],
  folder: string,
): Promise<CommandRun> =>
  runWell(process.execPath, [executable(name), ...args], { cwd: folder, deadlineMs: 180_000 })
