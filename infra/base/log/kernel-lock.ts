// Locks of the kernel on a directory (flock). They end with their process, and work across PID namespaces.
import { closeSync, openSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

export type KernelLock = {
  /** False if another process has it. */
  tryToAcquire: () => boolean
  /** For one more attempt. */
  release: () => void
  /** Releases it for good. */
  close: () => void
}

/** The same numbers on Linux and macOS. */
const EXCLUSIVE = 2
const AT_ONCE = 4
const RELEASE = 8

/** Undefined if this system cannot call the C library, or if the file system has no such locks. */
export const openKernelLock = async (directory: string): Promise<KernelLock | undefined> => {
  // The native module crashes the process when a worker thread that loaded it ends.
  if (!isMainThread) return undefined
  const native = await import('../clickhouse/native.ts').catch(() => undefined)
  if (!native) return undefined
  native.openCLibrary()
  const descriptor = openSync(directory, 'r')
  const flock = (operation: number): boolean => {
    const parameters = [native.int32(descriptor), native.int32(operation)]
    return native.callForInt32({ library: native.C_LIBRARY, function: 'flock', parameters }) === 0
  }
  if (!flock(RELEASE)) {
    closeSync(descriptor)
    return undefined
  }
  return {
    tryToAcquire: () => flock(EXCLUSIVE | AT_ONCE),
    release: () => void flock(RELEASE),
    close: () => closeSync(descriptor),
  }
}
