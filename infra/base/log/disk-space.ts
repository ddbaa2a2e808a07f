// Detects whether a failed write means a full disk. Writes only a probe file, and removes it.
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { AppError } from '../runtime/errors.ts'

const MDB_MAP_FULL = -30792
const { ENOSPC, EFBIG, EDQUOT, EIO } = constants.errno
const FULL_CODES: readonly unknown[] = [ENOSPC, EFBIG, EDQUOT, MDB_MAP_FULL]
const FULL_NAMES: readonly unknown[] = ['ENOSPC', 'EFBIG', 'EDQUOT']

export const logFull = (file: string, detail: string, cause?: unknown): AppError =>
  new AppError('LOG_FULL', `no space to append to ${file} (${detail})`, { cause })

/** Writes one byte to a probe of the new size: a size limit or a quota refuses it, a disk with free space does not. */
const mayGrow = (file: string, bytes: number): boolean => {
  const probe = `${file}.probe`
  const { bsize, bavail } = statfsSync(dirname(file))
  if (bavail * bsize < bytes) return false
  try {
    const descriptor = openSync(probe, 'w')
    try {
      writeSync(descriptor, Buffer.alloc(1), 0, 1, statSync(file).size + bytes)
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

/** The error for a failed append of about `bytes`. None of it is in the log: LMDB commits atomically. */
export const appendFailure = (file: string, bytes: number, cause: unknown): AppError => {
  if (cause instanceof AppError) return cause
  const { code, message } = cause as { code?: unknown; message?: string }
  // LMDB reports EIO for a short write, which occurs when a disk fills up.
  const full = FULL_CODES.includes(code) || (code === EIO && !mayGrow(file, bytes))
  if (full) return logFull(file, message ?? 'disk full', cause)
  return new AppError('LOG_UNAVAILABLE', `could not append to ${file}: ${message}`, {
    retryable: true,
    cause,
  })
}
