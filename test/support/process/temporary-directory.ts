// Creates a directory for one test in the system's temporary directory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TemporaryDirectory = { path: string; remove(): void }

export const createTemporaryDirectory = (name: string): TemporaryDirectory => {
  const path = mkdtempSync(join(tmpdir(), `rollcall-${name}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
