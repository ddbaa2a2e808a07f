// The two ways in which folding fails. An event that contradicts itself or the state becomes a dead letter, and nothing of it
// is applied. Any other error is a defect of Rollcall: it stops the projections before anything of the height is written.
import { AppError } from '../../infra/runtime/errors.ts'

export class FoldError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? {} : { cause })
    this.name = 'FoldError'
  }
}

/** Numbers of an event: decimals and divisions fail with a RangeError where they make no sense. */
export const readNumbers = <T>(what: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new FoldError(`${what}: ${error.message}`, error)
    throw error
  }
}

/** `what` names the event, or the rows, with their position. */
export const foldFailure = (what: string, error: unknown): AppError => {
  if (error instanceof AppError && error.code === 'FOLD_FAILED') return error
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new AppError('FOLD_FAILED', `${what} could not be folded: ${reason}`, { cause: error })
}
