// Writes small files so that a reader, and a machine that comes back from a power cut, sees the old one or the new one whole.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY = 0o600

export const writeFileWhole = (file: string, text: string): void => {
  const aside = join(dirname(file), `.${basename(file)}.${process.pid}`)
  const descriptor = openSync(aside, 'w', OWNER_ONLY)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(aside, file)
}
