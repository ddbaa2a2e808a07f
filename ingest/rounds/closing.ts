// Reads the inputs of the tally that ended a round, live or in the past, and compares them with the chain's result. Reads them again
// if they differ, and raises an alert if they still differ.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { isKnown, valueOrNull } from '../chain/answer.ts'
import { addressKey } from '../contract/address.ts'
import type { TallyCounts } from '../contract/facts.ts'
import type { ReadBallot } from '../contract/round-events.ts'
import type { TallyRule } from '../contract/tally-rule.ts'
import type { ChainStates } from '../heights/height-state.ts'
import { compareWithChain, type MatchesChain } from '../tally/strategy.ts'
import { type CloseData, isZero } from './close.ts'
import { readVotersByPool } from './delegations-by-pool.ts'
import { type BudgetOptions, createReadBudget, type ReadBudget } from './read-budget.ts'
import {
  isHeldByModules,
  listSilentPools,
  listVotersOf,
  type RoundReading,
  readRound,
  tallyRound,
} from './read-round.ts'
import { type Ballots, type RoundState, readMetadata } from './round-state.ts'
import {
  createStateAtTally,
  type EndedFact,
  findVariantByEvents,
  listOtherVariants,
  type TallyVariant,
} from './state-at-tally.ts'

/** The part of the metrics of ingest that closes count. */
export type ClosingMetrics = {
  tallyRereads: { inc(): void }
  tallyMismatches: { inc(): void }
  ballotChecks: { inc(labels: { outcome: 'same' | 'different' | 'skipped' }): void }
}

export type ClosingOptions = BudgetOptions & {
  /** The rule in force on a chain that shows `shown`; by default `shown` itself. */
  ruleOf?(shown: TallyRule): TallyRule
  logger: Logger
  metrics: ClosingMetrics
}

/** What was known of the round before its end. */
export type RoundBefore = { vote: RoundState; lacksBallots: boolean }

/** A round that reached its tally. */
export type Closing = {
  /** The states of the height that ended the round. */
  states: ChainStates
  fact: EndedFact
  close: CloseData
  before: RoundBefore | undefined
}

export type ClosedReading = {
  reading: RoundReading
  /** Whether the tally that follows from it is that of the chain. */
  match: MatchesChain
  /** Our own tally; undefined if it cannot be computed. */
  recomputed: TallyCounts | undefined
}

const NO_BALLOTS: Ballots = new Map()
const NO_VOTERS: ReadonlySet<string> = new Set()

/**
 * Keys of the voters whose stake live readings followed: it is that of the tally, and reading it again takes a request each. `doubted`: also
 * those of whom it is not known whether their stake moved.
 */
async function listFollowed(
  { states, fact, before }: Closing,
  variant: TallyVariant,
): Promise<{ followed: ReadonlySet<string>; doubted: ReadonlySet<string> }> {
  const none = { followed: NO_VOTERS, doubted: NO_VOTERS }
  if (!before?.vote.basis) return none
  const { basis, ballots, unread, moved, gap, namedPools, isSlashed } = before.vote
  const pools = valueOrNull(await createStateAtTally(states, fact, variant).pools())
  if (!pools) return none
  const silent = listSilentPools(pools, { basis, namedPools, isSlashed })
  const isStale = new Set([...unread, ...moved, ...listVotersOf(ballots, silent)])
  const doubted = [...ballots].flatMap(([key, { voter, delegations }]) => {
    const isNamed = delegations && !isHeldByModules(delegations)
    return isNamed && !isStale.has(key) && !variant.isVoterBefore(voter) ? [key] : []
  })
  const followed = doubted.filter((key) => !gap.has(key))
  return { followed: new Set(followed), doubted: new Set(doubted) }
}

/** With the stake that was followed, and with what events say of the ballots where the state has none any more, or not their words. */
function complete(
  reading: RoundReading,
  before: RoundBefore | undefined,
  followed: ReadonlySet<string>,
): RoundReading {
  const known = before?.vote.ballots ?? NO_BALLOTS
  const isEventsAlone = !reading.allBallots && before !== undefined && !before.lacksBallots
  const found = new Map(reading.ballots.map((ballot) => [addressKey(ballot.voter), ballot]))
  const keys = reading.allBallots ? found.keys() : known.keys()
  const ballots = [...keys].map((key): ReadBallot => {
    const [seen, read] = [known.get(key), found.get(key)]
    const { voter, options } = { ...seen, ...read } as ReadBallot
    const metadata = readMetadata(seen, read ?? {})
    const { delegationsReason = 'they were not read' } = read ?? {}
    const stake = followed.has(key) ? seen?.delegations : read?.delegations
    return {
      voter,
      options: options ? [...options] : [],
      ...(metadata ? { metadata } : {}),
      delegations: stake ? [...stake] : null,
      ...(stake ? {} : { delegationsReason }),
    }
  })
  // Events are complete, as far as they report votes.
  const missing = isEventsAlone
    ? reading.missing.filter((each) => !each.startsWith('ballots: '))
    : reading.missing
  return { ...reading, ballots, missing }
}

type Reads = { budget: ReadBudget; rule: TallyRule }

/** Reads the stake of all but those who were followed. */
async function readVariant(
  { states, fact, before }: Closing,
  variant: TallyVariant,
  { budget, rule, followed = NO_VOTERS }: Reads & { followed?: ReadonlySet<string> },
): Promise<RoundReading> {
  const state = createStateAtTally(states, fact, variant)
  const ballots = before?.vote.ballots ?? NO_BALLOTS
  const known = { proposalId: fact.proposalId, ballots, basis: undefined }
  const want = { ballots: 'all', basis: true, stake: 'all', except: followed } as const
  const reading = await readRound(state, known, want, { budget })
  return { ...complete(reading, before, followed), rule }
}

async function compare(
  { pools, ballots, rule, missing }: RoundReading,
  { close }: Closing,
): Promise<{ match: MatchesChain; recomputed: TallyCounts | undefined }> {
  const { tally } = await tallyRound(pools, ballots, rule)
  const recomputed = tally?.counts
  const incompleteReason = missing.length > 0 ? missing.join('; ') : null
  return {
    recomputed,
    match: compareWithChain({ recomputed, chain: close.finalTally, incompleteReason }),
  }
}

/** The variant whose tally is the chain's. Without one, the first; those that could not be read may be right. */
async function findMatch(
  closing: Closing,
  { byEvents, first }: { byEvents: TallyVariant; first: RoundReading },
  reads: Reads,
): Promise<RoundReading> {
  const { variants, reason } = await listOtherVariants(closing.states, closing.fact, byEvents)
  for (const variant of variants) {
    const reading = await readVariant(closing, variant, reads)
    const { match } = await compare(reading, closing)
    if (match.matchesChain === 'yes') return reading
    // Out of time, or the state is pruned: more reads cannot help.
    if (reading.missing.length > 0) break
  }
  return reason === null ? first : { ...first, missing: [...first.missing, reason] }
}

/** The ballots of events differ from those of the state: each is named at its proposal by its reader. Equal tallies are no proof. */
function countBallotCheck(
  { reading, closing }: { reading: RoundReading; closing: Closing },
  { logger, metrics }: ClosingOptions,
): void {
  const { before, fact, states } = closing
  if (!before) return
  if (!reading.allBallots) {
    metrics.ballotChecks.inc({ outcome: 'skipped' })
    return
  }
  const keys = new Set(reading.ballots.map(({ voter }) => addressKey(voter)))
  const onlyInEvents = [...before.vote.ballots].filter(([key]) => !keys.has(key))
  const onlyInState = before.lacksBallots
    ? 0
    : keys.size - (before.vote.ballots.size - onlyInEvents.length)
  const isSame = onlyInEvents.length === 0 && onlyInState === 0
  metrics.ballotChecks.inc({ outcome: isSame ? 'same' : 'different' })
  if (isSame) return
  const about = { height: states.plan.block.height, proposalId: fact.proposalId }
  const first = onlyInEvents[0]?.[1].voter
  logger.warn(
    { ...about, onlyInEvents: onlyInEvents.length, onlyInState, first },
    'the ballots of the state are not those of the events: the state counts',
  )
}

/** The stake of all voters but those who were followed is read by pool where that takes fewer reads. */
async function withVoters(
  closing: Closing,
  { followed = NO_VOTERS, signal }: { followed?: ReadonlySet<string>; signal: AbortSignal },
): Promise<Closing> {
  const { states, fact, before } = closing
  const votes = await states.before.votes(fact.proposalId)
  const ballots = isKnown(votes) ? votes.value : (before?.vote.ballots ?? NO_BALLOTS).values()
  const voters = [...ballots].map(({ voter }) => voter)
  const wanted = voters.filter((voter) => !followed.has(addressKey(voter)))
  return { ...closing, states: readVotersByPool(states, { voters: new Set(wanted), signal }) }
}

/**
 * First with the stake that was followed, which takes few reads; only if the tally is not that of the chain, with all stake. What cannot
 * be read in time is taken as it was known, if the tally is that of the chain with it.
 */
export async function readClosing(ended: Closing, options: ClosingOptions): Promise<ClosedReading> {
  const { states, fact } = ended
  const { logger, metrics, signal } = options
  const budget = createReadBudget(options)
  // An upgrade replaces the rule before the block: its tallies are those of the new one.
  const shown = valueOrNull(await states.after.rule())?.name ?? 'gov'
  const reads = { budget, rule: options.ruleOf?.(shown) ?? shown }
  const byEvents = await findVariantByEvents(states, fact)
  const { followed, doubted } = await listFollowed(ended, byEvents)
  let closing = await withVoters(ended, { followed, signal })
  let reading = await readVariant(closing, byEvents, { ...reads, followed })
  let compared = await compare(reading, closing)
  if (reading.missing.length > 0 && doubted.size > followed.size) {
    const more = { ...reads, budget: createReadBudget(options), followed: doubted }
    const likely = await readVariant(ended, byEvents, more)
    const second = await compare(likely, ended)
    if (second.match.matchesChain === 'yes') [reading, compared] = [likely, second]
  }
  const about = { height: states.plan.block.height, proposalId: fact.proposalId }
  if (compared.match.matchesChain === 'no') {
    metrics.tallyRereads.inc()
    logger.warn({ ...about, reason: compared.match.reason }, 'read a tally again')
    if (followed.size > 0) {
      closing = await withVoters(ended, { signal })
      reading = await readVariant(closing, byEvents, reads)
      compared = await compare(reading, closing)
    }
    if (compared.match.matchesChain === 'no') {
      reading = await findMatch(closing, { byEvents, first: reading }, reads)
      compared = await compare(reading, closing)
    }
  }
  if (compared.match.matchesChain === 'no') {
    metrics.tallyMismatches.inc()
    const { reason } = compared.match
    logger.error({ ...about, reason }, 'recomputed tally differs from the chain')
  }
  countBallotCheck({ reading, closing }, options)
  return { reading, ...compared }
}

const NOT_COUNTED = 'the state has a tally of zero for a vote with ballots that have power'

/**
 * The end of a round that no event reports. A module that closes a vote may not count it: a tally of zeros is one only if the ballots
 * have no power. Returns the close with the tally that holds.
 */
export async function readSilentClosing(
  closing: Closing,
  options: ClosingOptions,
): Promise<ClosedReading & { close: CloseData }> {
  const { close } = closing
  if (!close.finalTally || !isZero(close.finalTally)) {
    return { ...(await readClosing(closing, options)), close }
  }
  const uncounted = { ...close, finalTally: null, unavailableReason: NOT_COUNTED }
  const read = await readClosing({ ...closing, close: uncounted }, options)
  const { recomputed, reading } = read
  const hasPower = recomputed ? !isZero(recomputed) : reading.ballots.length > 0
  if (hasPower) return { ...read, close: uncounted }
  const match = compareWithChain({ recomputed, chain: close.finalTally, incompleteReason: null })
  return { ...read, match, close }
}
