// Reads the proposal ID, the only argument of a command.
import { UsageError } from './command.ts'

/** Returns the canonical ID. An error names `command`. */
export const readProposalId = ([id, ...rest]: readonly string[], command: string): string => {
  if (id === undefined) throw new UsageError(`"${command}" needs a proposal ID`)
  if (!/^[0-9]{1,20}$/.test(id)) {
    throw new UsageError(`"${id}" is not a proposal ID: use digits only`)
  }
  if (rest.length > 0) throw new UsageError(`"${command}" takes one ID, got "${rest[0]}" too`)
  return BigInt(id).toString()
}
