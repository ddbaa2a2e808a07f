// Classifies failures of the fold. An event that contradicts the state counts as undecodable, and is not applied at
// all. Any other error is a defect of Rollcall: it stops the projections before anything of the height is written.
import { AppError } from '../../infra/base/runtime/errors.ts'

export class FoldError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'FoldError'
  }
}

/** `what` names the event or the rows, with their position. */
export const foldFailure = (what: string, error: unknown): AppError => {
  if (error instanceof AppError && error.code === 'FOLD_FAILED') return error
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new AppError('FOLD_FAILED', `${what} could not be folded: ${reason}`, { cause: error })
}
