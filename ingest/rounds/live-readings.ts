// Reads the open votes at the tip: each at first sight, then the stake of new voters at their height, the pools and the stake that moved
// every half minute, and everything again where the node's own tally differs. Behind the tip nothing is read: a vote of the past costs
// its close.
import { Value } from 'typebox/value'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { isAbsent, isKnown, valueOrNull } from '../chain/answer.ts'
import type { StateAt } from '../chain/state-at.ts'
import { toEpochMs } from '../chain/time.ts'
import { addressKey } from '../contract/address.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { TallyCounts } from '../contract/facts.ts'
import { sameOptions } from '../contract/facts.ts'
import type { AdoptedRule } from '../contract/round-events.ts'
import { ruleMembers, type TallyRule } from '../contract/tally-rule.ts'
import type { PlannedHeight } from '../heights/plan.ts'
import { isVoting, type OpenProposal, type OpenProposals } from '../proposals/open-proposals.ts'
import { sameCounts } from '../tally/strategy.ts'
import { isZero } from './close.ts'
import { createReadBudget, type ReadBudget } from './read-budget.ts'
import {
  isHeldByModules,
  listSilentPools,
  listVotersOf,
  type OwnTally,
  type RoundReading,
  readRound,
  tallyRound,
  type Want,
} from './read-round.ts'
import { type RoundRead, toReadingData, toReadingEvents } from './reading-events.ts'
import { applyComparison, type RoundBasis, type RoundState } from './round-state.ts'

/** A height that is further behind is one of the past. */
const LIVE_HEIGHTS = 10
/** Block time between two readings of pools. */
const BASIS_MS = 30_000
/** Block time after which an open vote is compared with its state in any case. */
const COMPARED_MS = 600_000
/** The same after a change, or a difference. */
const CHANGED_MS = 120_000
/** So long before the end the last comparison is made. */
const BEFORE_END_MS = 60_000
/** A vote with more ballots is read again only if its tally differs: so many are ten pages. */
const FEW_BALLOTS = 10_000
/** Limit of voters of one height whose stake is read: the others follow at the next heights. */
const MAX_STAKE = 300
/** Voters of one reading whose stake could not be read before. */
const ASKED_AGAIN = 20
/** Rules that need no other inputs than those that are read anyway. */
const CANDIDATES: readonly TallyRule[] = ['gov', 'no_inheritance']
/** Of one round: far below the range of the contexts. */
const MAX_CHUNKS = 1_024

export type ReadVoters = { done: number; total: number }

export type LiveReadings = {
  /** Call in order of heights, each after its facts were applied. The events are applied already. */
  read(plan: PlannedHeight, after: StateAt): Promise<RoundRead[]>
  /** The rule in force on a chain that shows `shown`. */
  ruleOf(shown: TallyRule): TallyRule
  /** Null if the rule is the one that the chain shows. */
  adopted(): AdoptedRule | null
  /** Whether no rule that is known gives the node's tally of an open vote; undefined if no comparison shows it. */
  isReported(): boolean | undefined
  /** Voters whose stake is still to be read; undefined if there are none. */
  progress(): ReadVoters | undefined
}

type Options = {
  open: OpenProposals
  adopted: AdoptedRule | null
  budgetMs: number
  clock: Clock
  signal: AbortSignal
  logger: Logger
}

/** Voters in this block come first: their stake is that of their own height. */
function takeUnread({ unread }: RoundState, first: readonly string[], limit: number): Set<string> {
  const taken = new Set(first.filter((key) => unread.has(key)))
  for (const key of unread) {
    if (taken.size >= Math.max(limit, first.length)) break
    taken.add(key)
  }
  return taken
}

function listVotersIn({ facts }: PlannedHeight, proposalId: string): string[] {
  return facts.flatMap(({ fact }) =>
    fact.kind === 'vote_cast' && fact.proposalId === proposalId && fact.counted && fact.voter
      ? [addressKey(fact.voter)]
      : [],
  )
}

/** Stake of which no event names the owner: some is read in each turn. */
function takeHeldByModules(vote: RoundState, limit: number): string[] {
  const held = [...vote.ballots].flatMap(([key, { delegations }]) =>
    isHeldByModules(delegations) ? [key] : [],
  )
  const from = vote.turn < held.length ? vote.turn : 0
  vote.turn = from + limit
  return held.slice(from, from + limit)
}

/** Stake that the node could not return: some is asked for again in each turn. */
function takeUnreadable({ ballots, basis }: RoundState): string[] {
  if (basis?.rule === 'own') return []
  const failed = [...ballots].flatMap(([key, { delegations }]) =>
    delegations === null ? [key] : [],
  )
  return failed.slice(0, ASKED_AGAIN)
}

/** All stake that may have moved since the pools were read. */
async function queueMoved(vote: RoundState, after: StateAt, limit: number): Promise<void> {
  const { basis, ballots, unread, moved, namedPools, isSlashed } = vote
  for (const key of moved) unread.add(key)
  for (const key of [...takeHeldByModules(vote, limit), ...takeUnreadable(vote)]) unread.add(key)
  const pools = basis && valueOrNull(await after.pools())
  if (!basis || !pools) return
  const silent = listSilentPools(pools, { basis, namedPools, isSlashed })
  for (const key of listVotersOf(ballots, silent)) unread.add(key)
}

class Readings implements LiveReadings {
  readonly #options: Options
  #adopted: AdoptedRule | null

  constructor(options: Options) {
    this.#options = options
    this.#adopted = options.adopted
  }

  async read(plan: PlannedHeight, after: StateAt): Promise<RoundRead[]> {
    const { open, budgetMs, clock, signal } = this.#options
    if (plan.tip - plan.block.height > LIVE_HEIGHTS) return []
    const voting = open.list().filter((each) => isVoting(each) && isCertain(each))
    if (voting.length === 0) return []
    const budget = createReadBudget({ budgetMs, clock, signal })
    const limit = Math.ceil(MAX_STAKE / voting.length)
    const events: RoundRead[] = []
    for (const proposal of voting) {
      const read = await this.#readOne(proposal, { plan, after, budget, limit, sub: events.length })
      events.push(...read)
    }
    return events
  }

  ruleOf(shown: TallyRule): TallyRule {
    return this.#adopted?.instead === shown ? this.#adopted.rule : shown
  }

  adopted(): AdoptedRule | null {
    return this.#adopted
  }

  isReported(): boolean | undefined {
    const compared = this.#options.open.list().filter(({ vote }) => vote.compared?.counts)
    if (compared.length === 0) return undefined
    const isOwn = ({ vote }: OpenProposal) => vote.basis?.rule === 'own'
    if (compared.some((each) => isOwn(each) || each.vote.refuted >= 2)) return true
    return compared.every(({ vote }) => vote.compared?.agrees !== false) ? false : undefined
  }

  progress(): ReadVoters | undefined {
    let [left, total] = [0, 0]
    for (const { vote } of this.#options.open.list()) {
      if (vote.basis === undefined || vote.unread.size === 0) continue
      left += vote.unread.size
      total += vote.ballots.size
    }
    return left === 0 ? undefined : { done: Math.max(0, total - left), total }
  }

  async #readOne(proposal: OpenProposal, at: At): Promise<RoundRead[]> {
    const { plan, after } = at
    const { vote, proposalId } = proposal
    const nowMs = toEpochMs(plan.block.time)
    const allBallotsMs = vote.basis?.allBallotsMs
    const want = await this.#findWant(proposal, at, nowMs)
    if (!want) return []
    const isCompared = want.basis && isComparisonDue(proposal, nowMs)
    if ((isCompared || want.ballots === 'all') && (await isOver(after, proposalId))) return []
    const first = await this.#readAndApply(proposal, want, at)
    if (!want.basis || !isComparisonDue(proposal, nowMs)) return first.isNews ? first.events : []
    const counts = valueOrNull(await after.tally(proposalId))
    const shown = valueOrNull(await after.rule())?.name ?? 'gov'
    let { events } = first
    let own = await this.#tally(vote, this.ruleOf(shown))
    // Not before all voters are read: otherwise a crowded vote would begin again and again.
    if (counts && vote.unread.size === 0 && !agreesWith(own, counts)) {
      const isFirst = allBallotsMs === undefined
      const isDoubted = vote.refuted >= 2 && nowMs - (allBallotsMs ?? 0) < COMPARED_MS
      if (!isFirst && !isDoubted && !vote.isReread) {
        events = (await this.#readAll(proposal, want, at)).events
        vote.isReread = true
        own = await this.#tally(vote, this.ruleOf(shown))
      }
      if (vote.unread.size === 0 && !agreesWith(own, counts)) {
        await this.#doubt(vote, { counts, own, shown })
        vote.isReread = false
        own = await this.#tally(vote, this.ruleOf(shown))
      }
    }
    const agrees = counts && own.tally ? agreesWith(own, counts) : null
    return this.#withComparison(vote, events, { nodeTally: counts, agrees, shown })
  }

  /** Undefined if nothing is due. */
  async #findWant(
    { vote, proposalId, lacksBallots }: OpenProposal,
    { plan, after, limit }: At,
    nowMs: number,
  ): Promise<Want | undefined> {
    const { basis, ballots } = vote
    const isDue = !basis || nowMs - basis.timeMs >= BASIS_MS
    const isLong = basis && nowMs - basis.allBallotsMs >= COMPARED_MS
    const isFullDue = !basis || (isDue && (lacksBallots || (isLong && ballots.size <= FEW_BALLOTS)))
    if (isDue) await queueMoved(vote, after, limit)
    if (isFullDue) await queueUnknown(vote, after, proposalId)
    const stake = takeUnread(vote, listVotersIn(plan, proposalId), limit)
    if (!isDue && stake.size === 0) return undefined
    return { ballots: isFullDue ? 'all' : 'none', basis: isDue, stake }
  }

  async #readAndApply(
    proposal: OpenProposal,
    want: Want,
    { plan, after, budget, sub }: At,
    isFull = false,
  ): Promise<{ events: RoundRead[]; isNews: boolean }> {
    const { proposalId, round, vote, lacksBallots } = proposal
    const { block } = plan
    const basis = isFull ? undefined : vote.basis
    const known = { proposalId, ballots: vote.ballots, basis }
    const read = await readRound(after, known, want, { budget })
    const isKnown = basis && !lacksBallots && hasSameBallots(read, vote)
    const reading = withQueued(isKnown ? withStakeAlone(read) : read, vote)
    const rule = this.ruleOf(reading.rule)
    const of = { proposalId, round, final: false }
    const chunks = toReadingData({ ...reading, rule }, of, { maxChunks: MAX_CHUNKS })
    const events = toReadingEvents(block, { ordinal: ORDINAL.after, sub }, chunks)
    this.#options.open.applyReading(events)
    if (isKnown && vote.basis) vote.basis.allBallotsMs = toEpochMs(block.time)
    return { events, isNews: hasNews(reading, basis) }
  }

  /** All ballots at once, all stake as far as one height allows: the rest is queued. */
  async #readAll(proposal: OpenProposal, before: Want, at: At): Promise<{ events: RoundRead[] }> {
    const { vote, proposalId } = proposal
    const wanted = before.stake === 'all' ? [] : [...before.stake]
    await queueUnknown(vote, at.after, proposalId)
    for (const key of vote.ballots.keys()) vote.unread.add(key)
    for (const key of wanted) vote.unread.add(key)
    const stake = takeUnread(vote, wanted, at.limit)
    return await this.#readAndApply(proposal, { ballots: 'all', basis: true, stake }, at, true)
  }

  async #tally({ ballots, unread, basis }: RoundState, rule: TallyRule): Promise<OwnTally> {
    if (unread.size > 0 || !basis)
      return { problem: 'the delegations of some voters are not known' }
    return await tallyRound(basis.pools.values(), ballots.values(), rule)
  }

  /** After a full reading that differs: another rule may be the node's. Two such readings are needed to say that none is known. */
  async #doubt(
    vote: RoundState,
    { counts, own, shown }: { counts: TallyCounts; own: OwnTally; shown: TallyRule },
  ): Promise<void> {
    if (agreesWith(own, counts)) return
    const fitting: TallyRule[] = []
    let isKnown = own.tally !== undefined
    for (const rule of isZero(counts) ? [] : new Set([shown, ...CANDIDATES])) {
      const found = await this.#tally(vote, rule)
      isKnown ||= found.tally !== undefined
      if (agreesWith(found, counts)) fitting.push(rule)
    }
    const [rule, ...others] = fitting
    if (rule !== undefined && others.length === 0) {
      this.#adopted = rule === shown ? null : { rule, instead: shown }
      this.#options.logger.warn({ rule, shown }, 'adopted the tally rule that the node counts by')
      return
    }
    // Missing stake refutes no rule.
    if (isKnown) vote.refuted += 1
  }

  #withComparison(
    vote: RoundState,
    events: RoundRead[],
    { nodeTally, agrees, shown }: Comparison,
  ): RoundRead[] {
    const rule = this.ruleOf(shown)
    if (vote.basis) vote.basis.rule = rule
    const compared = events.map((event): RoundRead => {
      const { rule: _rule, ...data } = event.data
      return { ...event, data: { ...data, ...ruleMembers(rule) } }
    })
    const [first, ...others] = compared
    if (!first) return compared
    const members = { nodeTally, ...(agrees === null ? {} : { agrees }) }
    const withTally = { ...first, data: { ...first.data, ...members } }
    applyComparison(vote, withTally)
    return [withTally, ...others]
  }
}

/** `agrees`: null if one of both tallies is not known. `shown`: the rule that the chain shows. */
type Comparison = { nodeTally: TallyCounts | null; agrees: boolean | null; shown: TallyRule }

type At = { plan: PlannedHeight; after: StateAt; budget: ReadBudget; limit: number; sub: number }

/** Whether the state has the ballots that are known, and no others. */
function hasSameBallots({ ballots, allBallots }: RoundReading, vote: RoundState): boolean {
  if (!allBallots || ballots.length !== vote.ballots.size) return false
  return ballots.every(({ voter, options, metadata }) => {
    const known = vote.ballots.get(addressKey(voter))
    // A node may not report the metadata.
    const isSameText = metadata === undefined || metadata === known?.metadata
    return isSameText && known && options && sameOptions(known.options, options)
  })
}

/** `before`: undefined if everything was read. */
function hasNews(reading: RoundReading, before: RoundBasis | undefined): boolean {
  const { pools, ballots, allBallots, basis } = reading
  if (pools.length > 0 || ballots.length > 0 || allBallots) return true
  if (!basis) return false
  return basis.bondedTokens !== before?.bondedTokens || !Value.Equal(basis.params, before.params)
}

/** Without ballots that the log has already. */
function withStakeAlone(reading: RoundReading): RoundReading {
  const ballots = reading.ballots.flatMap(({ options: _options, metadata: _metadata, ...stake }) =>
    stake.delegations === undefined ? [] : [stake],
  )
  return { ...reading, ballots, allBallots: false }
}

/** With the number of voters for whom one height had no room. */
function withQueued(reading: RoundReading, { unread }: RoundState): RoundReading {
  const { basis, ballots } = reading
  if (!basis) return reading
  const read = ballots.filter(({ delegations }) => delegations !== undefined)
  const found = new Set(read.map(({ voter }) => addressKey(voter)))
  const queued = [...unread].filter((key) => !found.has(key)).length
  return queued === 0 ? reading : { ...reading, basis: { ...basis, queued } }
}

/** While endpoints disagree about a proposal, or lack it, its state says nothing. */
function isCertain({ disagreement }: OpenProposal): boolean {
  return disagreement === null || disagreement.finding === 'overdue'
}

function agreesWith({ tally }: OwnTally, counts: TallyCounts): boolean {
  return tally !== undefined && sameCounts(tally.counts, counts)
}

/** A vote may have ended without an event: then the state has no ballots any more, and its end is found later. */
async function isOver(after: StateAt, proposalId: string): Promise<boolean> {
  const answer = await after.proposal(proposalId)
  if (isKnown(answer)) return answer.value.proposal.status !== 'voting_period'
  return answer.absence !== undefined || isAbsent(answer)
}

/** Voters that only the state has. */
async function queueUnknown(vote: RoundState, after: StateAt, proposalId: string): Promise<void> {
  const votes = await after.votes(proposalId)
  if (!isKnown(votes)) return
  for (const { voter } of votes.value) {
    const key = addressKey(voter)
    if (vote.ballots.get(key)?.delegations === undefined) vote.unread.add(key)
  }
}

function isComparisonDue({ vote, lacksBallots, known }: OpenProposal, nowMs: number): boolean {
  const { compared, ballots, changed } = vote
  if (ballots.size === 0 && !lacksBallots) return false
  if (!compared) return true
  const sinceMs = nowMs - compared.timeMs
  const isSettled = compared.agrees === true && !changed
  const endMs = known?.votingEndTime ? toEpochMs(known.votingEndTime) : Number.NaN
  const isLast = endMs - nowMs <= BEFORE_END_MS && sinceMs >= BASIS_MS
  return isLast || sinceMs >= (isSettled ? COMPARED_MS : CHANGED_MS)
}

export function createLiveReadings(options: Options): LiveReadings {
  return new Readings(options)
}
