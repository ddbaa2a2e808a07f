// Chooses where the suites of a run create their temporary directories: in memory, if there is enough.
// The stores of the tests sync thousands of small files, and waiting for a disk proves nothing about the product.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY_FILES = '/dev/shm'
/** Several times what the suites of a run have at the same time. */
const LEAST_BYTES = 6 * 2 ** 30

const readFreeBytes = (path: string): number => {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

/** `TMPDIR` has priority. */
export const chooseTemporaryParent = (leastBytes = LEAST_BYTES): string => {
  if (process.env['TMPDIR']) return tmpdir()
  const free = Math.min(readFreeBytes(MEMORY_FILES), process.availableMemory())
  return free < leastBytes ? tmpdir() : MEMORY_FILES
}
