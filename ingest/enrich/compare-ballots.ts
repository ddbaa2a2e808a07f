// Compares the ballots from events with the ballots in the state of the chain, to find votes without an event.
import { sameOptions } from '../contract/same-options.ts'
import type { Ballots } from './tally-inputs.ts'

/** A reason names this many voters and counts the others. */
const NAMED_VOTERS = 3

const formatVoters = (voters: readonly string[]): string => {
  const more = voters.length - NAMED_VOTERS
  const named = voters.slice(0, NAMED_VOTERS).join(', ')
  return more > 0 ? `${named} (and ${more} more)` : named
}

export type BallotsToCompare = {
  log: Ballots
  chain: Ballots
  /** The log is known to lack ballots: then ballots of the chain may be missing from it. */
  lacksBallots: boolean
  /** Height of the state. */
  height: number
}

/** Every difference as text; empty if there is none. */
export const compareBallots = ({
  log,
  chain,
  lacksBallots,
  height,
}: BallotsToCompare): string[] => {
  const state = `the chain’s state of height ${height}`
  const invented: string[] = []
  const altered: string[] = []
  for (const [voter, options] of log) {
    const own = chain.get(voter)
    if (!own) invented.push(voter)
    else if (!lacksBallots && !sameOptions(own, options)) altered.push(voter)
  }
  const missed: string[] = []
  if (!lacksBallots) for (const voter of chain.keys()) if (!log.has(voter)) missed.push(voter)
  const found = [
    [invented, `ballots that ${state} does not have`],
    [missed, `no ballots where ${state} has them`],
    [altered, `other ballots than ${state}`],
  ] as const
  return found
    .filter(([voters]) => voters.length > 0)
    .map(([voters, what]) => `the log has ${what}: ${formatVoters(voters)}`)
}
