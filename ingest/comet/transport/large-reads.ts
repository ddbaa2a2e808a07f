// Notes in a file which endpoints send a large response while it is parsed. If the process ends in the middle, the next one knows
// the endpoint and avoids it for a while. The note is a help only: a file that cannot be written changes nothing.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

export type LargeReads = {
  /** By name of the endpoint: what it was sending when the last process ended. */
  readonly interrupted: ReadonlyMap<string, string>
  /** Call it before the parse; call the result after. */
  begin(endpoint: string, what: string): () => void
}

const ignoreErrors = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const readNote = (file: string): Map<string, string> => {
  const note = ignoreErrors(() => JSON.parse(readFileSync(file, 'utf8')) as unknown)
  const entries = Array.isArray(note) ? note : []
  const texts = entries.filter(
    (entry): entry is [string, string] =>
      Array.isArray(entry) && entry.length === 2 && entry.every((text) => typeof text === 'string'),
  )
  return new Map(texts)
}

/** Without a file nothing is known after a restart. */
export const createLargeReads = (file?: string): LargeReads => {
  const interrupted = file === undefined ? new Map<string, string>() : readNote(file)
  const running = new Set<readonly [endpoint: string, what: string]>()
  const write = () => {
    if (file === undefined) return
    ignoreErrors(() =>
      running.size === 0
        ? rmSync(file, { force: true })
        : writeFileSync(file, JSON.stringify([...running]), { mode: 0o600 }),
    )
  }
  write()
  return {
    interrupted,
    begin: (endpoint, what) => {
      const read = [endpoint, what] as const
      running.add(read)
      write()
      return () => {
        running.delete(read)
        write()
      }
    },
  }
}
