// The ballots that events made against those that the chain's own state holds: an event without a vote shows here.
import type { WeightedOption } from '../contract/facts.ts'
import type { Ballots } from './tally-inputs.ts'

/** Named in a reason; the others are counted. */
const NAMED_VOTERS = 3

const formatOptions = (options: readonly WeightedOption[]): string =>
  options
    .map(({ option, weight }) => `${option} ${weight}`)
    .sort()
    .join(',')

const formatVoters = (voters: readonly string[]): string => {
  const more = voters.length - NAMED_VOTERS
  const named = voters.slice(0, NAMED_VOTERS).join(', ')
  return more > 0 ? `${named} (and ${more} more)` : named
}

export type BallotsToCompare = {
  log: Ballots
  chain: Ballots
  /** The log is known to lack ballots: then it need not have all that the chain has. */
  lacksBallots: boolean
  /** Whose state it is. */
  height: number
}

/** Every difference in words; empty where there is none. */
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
    else if (!lacksBallots && formatOptions(own) !== formatOptions(options)) altered.push(voter)
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
