// The proposal id as the only argument of a command.
import { UsageError } from './command.ts'

/** Canonical. An error names `command`. */
export const readProposalId = ([id, ...rest]: readonly string[], command: string): string => {
  if (id === undefined) throw new UsageError(`"${command}" needs the id of a proposal`)
  if (!/^[0-9]{1,20}$/.test(id)) {
    throw new UsageError(`"${id}" is not the id of a proposal: digits only`)
  }
  if (rest.length > 0) throw new UsageError(`"${command}" takes one id, but got "${rest[0]}"`)
  return BigInt(id).toString()
}
