// Removes the file size limit of a running process, to end a simulated full disk.
import { execFileSync, spawnSync } from 'node:child_process'

/** The reason why this machine does not support it, or undefined. */
export const checkDiskLimit = (): string | undefined =>
  spawnSync('prlimit', ['--version']).status === 0
    ? undefined
    : 'no `prlimit` on the PATH: it limits the files of a running process'

export const liftLimit = (pid: number): void => {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:'])
}
