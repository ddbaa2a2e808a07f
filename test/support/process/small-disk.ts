// A file system of a few megabytes that one process and its children see, made without being root; and what fills it up.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'

/** Becomes another program in name spaces of its own, where its user may mount. */
const OWN_MOUNTS = ['unshare', '--user', '--map-root-user', '--mount']

/** For `startChild`: the directory, which must be there, is the small disk to the child alone. */
export const onSmallDisk = (directory: string, megabytes: number) => ({
  within: OWN_MOUNTS,
  before: `mount -t tmpfs -o size=${megabytes}m tmpfs '${directory}' || exit 1`,
})

/** Why this machine cannot do it; undefined where it can. */
export const checkSmallDisk = (directory: string): string | undefined => {
  const [program = '', ...rest] = OWN_MOUNTS
  const tried = spawnSync(program, [...rest, 'mount', '-t', 'tmpfs', 'tmpfs', directory])
  return tried.status === 0 ? undefined : 'no name spaces of its own to mount a small disk in'
}

/** Leaves no byte of the disk that the process sees at this path. Returns what gives them back. */
export const fillDisk = (pid: number, directory: string): (() => void) => {
  const seen = `/proc/${pid}/root${directory}`
  const file = openSync(`${seen}/ballast`, 'w')
  try {
    // Whoever writes there too may be faster: full is when nothing more can be written.
    for (const block = Buffer.alloc(statfsSync(seen).bsize); ; ) writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return () => rmSync(`${seen}/ballast`)
}
