// Writes small files atomically and durably: after a power failure the old or the new file is complete.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY = 0o600

/** Makes the new name of a file durable. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes a durable file in the same folder. Its name is random: processes in two containers may have the same ID. */
const writeTemporaryFile = (file: string, text: string): string => {
  const temporaryPath = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`)
  const descriptor = openSync(temporaryPath, 'wx', OWNER_ONLY)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return temporaryPath
}

/** Replaces an existing file. */
export const writeFileAtomically = (file: string, text: string): void => {
  renameSync(writeTemporaryFile(file, text), file)
  syncDirectory(dirname(file))
}

/** Returns false and changes nothing if the file exists: only one of several processes creates it. */
export const createFileAtomically = (file: string, text: string): boolean => {
  const temporaryPath = writeTemporaryFile(file, text)
  try {
    linkSync(temporaryPath, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporaryPath, { force: true })
  }
  syncDirectory(dirname(file))
  return true
}
