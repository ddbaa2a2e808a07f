// Ends the processes, servers and directories of one measurement in reverse order, also after a failure.
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
          console.error('cannot end a part of the measurement:', error)
        }
      }
    },
  }
}

/** Runs `use` in a new scope, which ends before the result is returned. */
export const scoped = async <T>(use: (scope: Scope) => Promise<T>): Promise<T> => {
  const scope = createScope()
  try {
    return await use(scope)
  } finally {
    await scope.end()
  }
}
