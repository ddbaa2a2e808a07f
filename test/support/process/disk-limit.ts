// How large the files of a running process may get, lifted: room again where a process met a full disk.
import { execFileSync, spawnSync } from 'node:child_process'

/** Why this machine cannot do it; undefined where it can. */
export const checkDiskLimit = (): string | undefined =>
  spawnSync('prlimit', ['--version']).status === 0
    ? undefined
    : 'no `prlimit` on the PATH: it limits the files of a running process'

export const liftLimit = (pid: number): void => {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:'])
}
