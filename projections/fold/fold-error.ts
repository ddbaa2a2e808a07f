// Classifies failures of the fold. An event that contradicts itself or the state counts as undecodable, and is not applied at
// all. Any other error is a defect of Rollcall: it stops the projections before anything of the height is written.
import { AppError } from '../../infra/base/runtime/errors.ts'
import { InvalidDecimal } from '../../ingest/contract/decimal.ts'

export class FoldError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'FoldError'
  }
}

/** An invalid number is a fault of the event. Any other error is returned unchanged. */
export const asFoldError = (error: unknown): unknown =>
  error instanceof InvalidDecimal ? new FoldError(error.message) : error

/** `what` names the event or the rows, with their position. */
export const foldFailure = (what: string, error: unknown): AppError => {
  if (error instanceof AppError && error.code === 'FOLD_FAILED') return error
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new AppError('FOLD_FAILED', `${what} could not be folded: ${reason}`, { cause: error })
}
