// The governance fold with a defect: while the file `PLANTED_FILE` is there, it fails on the record at `PLANTED_OFFSET`.
// `defect-in-the-fold.test.ts` bundles it in place of the real one.
import { existsSync } from 'node:fs'
import { AppError } from '../../../infra/runtime/errors.ts'
import {
  createGovernanceFold as createRealFold,
  type FoldOptions,
  type GovernanceFold,
} from '../../../projections/models/governance-fold.ts'

const { PLANTED_OFFSET = '', PLANTED_FILE = '' } = process.env

const failAt = (offset: bigint, height: number): never => {
  const message = `could not fold the event at offset ${offset}, height ${height}`
  throw new AppError('FOLD_FAILED', message, { cause: new TypeError('planted') })
}

export const createGovernanceFold = (options: FoldOptions): GovernanceFold => {
  const fold = createRealFold(options)
  return {
    apply: (records, prepared) => {
      const at = records.findIndex(({ offset }) => offset === BigInt(PLANTED_OFFSET))
      const planted = existsSync(PLANTED_FILE) ? records[at] : undefined
      // Half of its work is done by then, as with a defect of our own.
      fold.apply(planted ? records.slice(0, at) : records, prepared)
      if (planted) failAt(planted.offset, planted.height)
    },
    drain: () => fold.drain(),
    firstOffset: () => fold.firstOffset(),
    openProposals: () => fold.openProposals(),
  }
}
