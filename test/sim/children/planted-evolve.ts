// The handlers of the fold with a defect: while the file `PLANTED_FILE` exists, the event `PLANTED_EVENT` causes a
// TypeError. `defect-in-the-fold.test.ts` bundles this file instead of the real handlers.
import { existsSync } from 'node:fs'
import * as real from '../../../projections/fold/evolve.ts'

export const { invalidate } = real

const { PLANTED_EVENT = '', PLANTED_FILE = '' } = process.env

export const evolve: typeof real.evolve = (to, event) => {
  if (event.id === PLANTED_EVENT && existsSync(PLANTED_FILE)) {
    throw new TypeError("Cannot read properties of undefined (reading 'planted')")
  }
  real.evolve(to, event)
}
