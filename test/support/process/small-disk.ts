// Full disks without root: a file system of a few megabytes that only one process tree sees, and the limit of a file's size.
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'

/** The reason why this machine does not support it, or undefined. */
export const checkDiskLimit = (): string | undefined =>
  spawnSync('prlimit', ['--version']).status === 0
    ? undefined
    : 'no `prlimit` on the PATH: it limits the files of a running process'

export const liftLimit = (pid: number): void => {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:'])
}

/** Starts another program in new namespaces, where its user may mount. */
const OWN_MOUNTS = ['unshare', '--user', '--map-root-user', '--mount']

/** For `startChild`: only the child sees the existing directory as the small disk. */
export const onSmallDisk = (directory: string, megabytes: number) => ({
  within: OWN_MOUNTS,
  before: `mount -t tmpfs -o size=${megabytes}m tmpfs '${directory}' || exit 1`,
})

/** The reason why this machine does not support it, or undefined. */
export const checkSmallDisk = (directory: string): string | undefined => {
  const [program = '', ...rest] = OWN_MOUNTS
  const tried = spawnSync(program, [...rest, 'mount', '-t', 'tmpfs', 'tmpfs', directory])
  return tried.status === 0
    ? undefined
    : 'the machine cannot create namespaces to mount a small disk'
}

/** Fills the disk that the process sees at this path. The returned function frees it. */
export const fillDisk = (pid: number, directory: string): (() => void) => {
  const seen = `/proc/${pid}/root${directory}`
  const file = openSync(`${seen}/ballast`, 'w')
  try {
    // Other writers may be faster, so the disk is full when a write fails.
    for (const block = Buffer.alloc(statfsSync(seen).bsize); ; ) writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return () => rmSync(`${seen}/ballast`)
}
