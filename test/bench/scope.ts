// What one measurement started, ended in reverse order whatever happened: processes, servers, directories.
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

export type Scope = {
  onEnd(close: () => unknown): void
  /** A directory that is removed at the end. */
  directory(name: string): string
  end(): Promise<void>
}

export const createScope = (): Scope => {
  const closers: (() => unknown)[] = []
  return {
    onEnd: (close) => {
      closers.push(close)
    },
    directory: (name) => {
      const { path, remove } = createTemporaryDirectory(`bench-${name}`)
      closers.push(remove)
      return path
    },
    end: async () => {
      for (let close = closers.pop(); close; close = closers.pop()) {
        try {
          await close()
        } catch (error) {
          console.error('could not end a part of the measurement:', error)
        }
      }
    },
  }
}

/** Runs `use` in a scope of its own, ended before the result is given. */
export const scoped = async <T>(use: (scope: Scope) => Promise<T>): Promise<T> => {
  const scope = createScope()
  try {
    return await use(scope)
  } finally {
    await scope.end()
  }
}
