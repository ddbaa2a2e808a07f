// Files of the owner alone: small ones that are complete after a power failure, either the old or the new one, and directories.

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY_FILE = 0o600

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
  const descriptor = openSync(temporaryPath, 'wx', OWNER_ONLY_FILE)
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

const OWNER_ONLY_DIRECTORY = 0o700

const isDirectory = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/**
 * Creates one level after the other. The recursive `mkdir` of Node never returns on a file system such as
 * procfs, which returns ENOENT although the parent exists.
 */
export const makeDirectory = (path: string): void => {
  if (isDirectory(path)) return
  if (!existsSync(dirname(path))) makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: OWNER_ONLY_DIRECTORY })
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isDirectory(path)) throw error
  }
}
