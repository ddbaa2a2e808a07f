// A short lock of the embedded log: no process opens or closes it during a commit of another one.
// LMDB stores the number of the latest transaction when it opens a file. A commit since it read that number is lost (ITS#9496).
// The last process that closes a log can also destroy the mutex of one that opens it.
import { AppError } from '../runtime/errors.ts'
import { openKernelLock } from './kernel-lock.ts'

export type CommitLock = {
  /** Runs a synchronous step alone. Throws a retryable `LOG_UNAVAILABLE` if a frozen process has the lock. */
  runAlone: <Result>(step: () => Result) => Result
  close: () => void
}

/** Far longer than any step. */
const DEADLINE_MS = 10_000
const PAUSE_MS = 1

const sleeper = new Int32Array(new SharedArrayBuffer(4))
/** Blocks the thread, because the step must follow at once: another log of this process could wait for the same lock. */
const blockThread = (ms: number): void => void Atomics.wait(sleeper, 0, 0, ms)

/** On a system without locks of the kernel, steps do not wait for each other. */
export const openCommitLock = async (
  directory: string,
  openLock = openKernelLock,
  deadlineMs = DEADLINE_MS,
): Promise<CommitLock> => {
  const lock = await openLock(directory)
  if (!lock) return { runAlone: (step) => step(), close: () => {} }
  const acquire = () => {
    const untilMs = performance.now() + deadlineMs
    while (!lock.tryToAcquire()) {
      if (performance.now() > untilMs) {
        const reason = 'a frozen process, or a file system without flock; a local disk has it'
        throw new AppError('LOG_UNAVAILABLE', `${directory} stays locked: ${reason}`, {
          retryable: true,
          expose: true,
        })
      }
      blockThread(PAUSE_MS)
    }
  }
  return {
    runAlone: (step) => {
      acquire()
      try {
        return step()
      } finally {
        lock.release()
      }
    },
    close: lock.close,
  }
}
