// Detects whether a failed write means a full disk. Writes only a probe file, and removes it.
import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../runtime/errors.ts'
import { isDiskError, isDiskFull } from './sqlite.ts'

const FULL_NAMES: readonly unknown[] = ['ENOSPC', 'EFBIG', 'EDQUOT']

/** Writes one byte to a probe of the new size: a size limit or a quota refuses it, a disk with free space does not. */
const mayGrow = (file: string, bytes: number): boolean => {
  const probe = `${file}.probe`
  const { bsize, bavail } = statfsSync(dirname(file))
  if (bavail * bsize < bytes) return false
  try {
    const descriptor = openSync(probe, 'w')
    try {
      writeSync(
        descriptor,
        Buffer.alloc(1),
        0,
        1,
        (existsSync(file) ? statSync(file).size : 0) + bytes,
      )
    } finally {
      closeSync(descriptor)
    }
    return true
  } catch (error) {
    return !FULL_NAMES.includes((error as NodeJS.ErrnoException).code)
  } finally {
    rmSync(probe, { force: true })
  }
}

/** The error for a failed append of about `bytes`. None of it is in the log: SQLite commits atomically. */
export function appendFailure(file: string, bytes: number, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const { message } = cause as Error
  // SQLite reports a limit on the size of a file, and a quota, as errors of a write. A commit goes to the -wal file first.
  const isFull = isDiskFull(cause) || (isDiskError(cause) && !mayGrow(`${file}-wal`, bytes))
  if (isFull)
    return new AppError('LOG_FULL', `no space to append to ${file} (${message})`, { cause })
  return new AppError('LOG_UNAVAILABLE', `could not append to ${file}: ${message}`, {
    retryable: true,
    cause,
  })
}
