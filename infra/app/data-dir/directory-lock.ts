// A kernel lock on a directory (flock): it ends with its process and works across PID namespaces.
import { closeSync, openSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** LOCK_EX | LOCK_NB: the same numbers on Linux and macOS. */
const EXCLUSIVE_AT_ONCE = 2 | 4

export type KernelLock =
  | { isAcquired: true; release: () => void }
  /** Another process has it. */
  | { isAcquired: false }

/** Undefined if this system cannot call the C library: claim files then decide. */
export const lockByKernel = async (directory: string): Promise<KernelLock | undefined> => {
  // The native module crashes the process when a worker thread that loaded it ends.
  if (!isMainThread) return undefined
  const native = await import('../../base/clickhouse/native.ts').catch(() => undefined)
  if (!native) return undefined
  native.openCLibrary()
  const descriptor = openSync(directory, 'r')
  const parameters = [native.int32(descriptor), native.int32(EXCLUSIVE_AT_ONCE)]
  if (native.callForInt32({ library: native.C_LIBRARY, function: 'flock', parameters }) === 0) {
    return { isAcquired: true, release: () => closeSync(descriptor) }
  }
  closeSync(descriptor)
  return { isAcquired: false }
}
