// Creates a directory and its parents, accessible only to the owner.
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o700

const isDirectory = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/**
 * Creates one level after the other. The recursive `mkdir` of Node never returns on a file system such as
 * procfs, which returns ENOENT although the parent exists.
 */
export const makeDirectory = (path: string): void => {
  if (isDirectory(path)) return
  if (!existsSync(dirname(path))) makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: OWNER_ONLY })
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isDirectory(path)) throw error
  }
}
