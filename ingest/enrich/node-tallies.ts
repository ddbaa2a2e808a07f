// Compares the tally of each open vote with the node's own, and finds the rule that gives the same. Which votes are compared follows
// from the log.
import { setImmediate } from 'node:timers/promises'
import { Value } from 'typebox/value'
import {
  type Answer,
  isKnown,
  known,
  reasonOrNull,
  unavailable,
  valueOrNull,
} from '../chain/answer.ts'
import type { StateAt } from '../chain/state-at.ts'
import { toEpochMs } from '../chain/time.ts'
import { isCounted } from '../contract/delegation.ts'
import { ORDINAL } from '../contract/envelope.ts'
import type { EventOf } from '../contract/events.ts'
import type { PoolState, TallyCounts } from '../contract/facts.ts'
import { TALLY_RULES, type TallyRule } from '../contract/tally-rule.ts'
import { type BlockReference, eventAt, proposalSubject } from '../derive/event-at.ts'
import type { OpenStakes } from '../governance/open-stakes.ts'
import {
  findLast,
  isComparisonDue,
  isEmpty,
  isRepeatDue,
  type OpenTallies,
  type OpenVote,
} from '../governance/open-tallies.ts'
import { sameCounts } from '../tally/strategy.ts'
import { startTally, type TallyBallot, type TallyPool } from '../tally/tally.ts'
import { SUB } from './observations.ts'

export type TallyObserved = EventOf<'rollcall.tally.observed.v1'>

/** The state after a height. */
export type ComparedHeight = {
  block: BlockReference
  after: Pick<StateAt, 'tally'>
  pools: Answer<PoolState[]>
  /** The rule that the chain shows. */
  shown: TallyRule
  stakes: Pick<OpenStakes, 'delegationsOf'>
}

/** Rules that need no other inputs than those that are read anyway. */
const CANDIDATES: readonly TallyRule[] = ['gov', 'no_inheritance']

/** Ballots between two pauses: some milliseconds of work. */
const SLICE = 2_000
/** The others follow at later heights. */
const MAX_VOTES = SUB.contexts - SUB.tallies
const OWN_RULES = 'this chain tallies votes by its own rules'

type Inputs = { pools: TallyPool[]; ballots: TallyBallot[] }

const toTallyPool = (pool: PoolState): TallyPool => ({ pool, counted: isCounted(pool) })

type InputSources = Pick<ComparedHeight, 'pools' | 'stakes'>

/** Which input is missing; undefined if all are known. */
const findMissing = (
  { ballots, lacksBallots }: OpenVote,
  { pools, stakes }: InputSources,
): string | undefined => {
  if (lacksBallots) return 'not all ballots are known'
  // Without the reason of the node: it may name the height, and each height would be news.
  if (!isKnown(pools)) return 'the pools are not known'
  for (const voter of ballots.keys()) {
    if (!stakes.delegationsOf(voter)) return 'the delegations of some voters are not known'
  }
  return undefined
}

const collectInputs = (vote: OpenVote, sources: InputSources): Answer<Inputs> => {
  const missing = findMissing(vote, sources)
  if (missing !== undefined) return unavailable(missing)
  const { pools, stakes } = sources
  const ballots = [...vote.ballots].map(([voter, options]) => ({
    voter,
    options,
    delegations: stakes.delegationsOf(voter) ?? [],
  }))
  return known({ pools: (valueOrNull(pools) ?? []).map(toTallyPool), ballots })
}

/** A vote with the node's tally and the inputs of our own. */
type Reading = { vote: OpenVote; counts: Answer<TallyCounts>; inputs: Answer<Inputs> }
type Comparison = Reading & { rule: TallyRule; recomputed: Answer<TallyCounts> }

const readVotes = async (votes: readonly OpenVote[], height: ComparedHeight): Promise<Reading[]> =>
  Promise.all(
    votes.map(async (vote) => ({
      vote,
      counts: await height.after.tally(vote.proposalId),
      inputs: collectInputs(vote, height),
    })),
  )

const recompute = async (inputs: Answer<Inputs>, rule: TallyRule): Promise<Answer<TallyCounts>> => {
  if (!isKnown(inputs)) return inputs
  const { strategy } = TALLY_RULES[rule]
  if (strategy === 'none') return unavailable(OWN_RULES)
  const running = startTally(inputs.value.pools, strategy)
  for (const [order, ballot] of inputs.value.ballots.entries()) {
    running.add(ballot)
    if (order % SLICE === SLICE - 1) await setImmediate()
  }
  return known(running.finish().counts)
}

/** One by one: each may take long. */
const compareAll = async (readings: readonly Reading[], rule: TallyRule): Promise<Comparison[]> => {
  const compared: Comparison[] = []
  for (const reading of readings) {
    compared.push({ ...reading, rule, recomputed: await recompute(reading.inputs, rule) })
  }
  return compared
}

const findAgreement = ({ counts, recomputed }: Comparison): boolean | null =>
  isKnown(counts) && isKnown(recomputed) ? sameCounts(counts.value, recomputed.value) : null

const isComparable = ({ counts, inputs }: Reading): boolean => isKnown(counts) && isKnown(inputs)

/** Without a change, the log has all that a comparison would find. */
const hasChanged = ({ vote, counts, inputs }: Reading, rule: TallyRule): boolean => {
  const last = findLast(vote, rule)
  if (!last || last.agrees || !Value.Equal(last.counts, valueOrNull(counts))) return true
  return (
    last.recomputedReason !== (rule === 'own' && isKnown(inputs) ? OWN_RULES : reasonOrNull(inputs))
  )
}

/** Whether the log lacks the result. */
const isNews = (compared: Comparison, nowMs: number): boolean => {
  const last = findLast(compared.vote, compared.rule)
  if (!last || isRepeatDue(last, nowMs)) return true
  return (
    last.agrees !== findAgreement(compared) ||
    last.recomputedReason !== reasonOrNull(compared.recomputed) ||
    !Value.Equal(last.counts, valueOrNull(compared.counts))
  )
}

/** The only rule whose tally of every vote is the node's, with these tallies. */
const findRule = async (
  readings: readonly Reading[],
  { rule, shown }: { rule: TallyRule; shown: TallyRule },
): Promise<Comparison[] | undefined> => {
  const comparable = readings.filter(isComparable)
  if (comparable.every(({ counts }) => isKnown(counts) && isEmpty(counts.value))) return undefined
  const fitting: TallyRule[] = []
  for (const candidate of new Set([shown, ...CANDIDATES])) {
    if (candidate === rule) continue
    const compared = await compareAll(comparable, candidate)
    if (compared.every(findAgreement)) fitting.push(candidate)
  }
  const [found] = fitting
  return found === undefined || fitting.length > 1 ? undefined : await compareAll(readings, found)
}

const toEvent = (
  { vote, rule, counts, recomputed, ...others }: Comparison,
  { block, shown, sub }: ComparedHeight & { sub: number },
): TallyObserved =>
  eventAt(
    block,
    { ordinal: ORDINAL.after, sub },
    {
      type: 'rollcall.tally.observed.v1',
      subject: proposalSubject(vote.proposalId),
      data: {
        proposalId: vote.proposalId,
        round: vote.round,
        counts: valueOrNull(counts),
        countsReason: reasonOrNull(counts),
        recomputed: valueOrNull(recomputed),
        recomputedReason: reasonOrNull(recomputed),
        rule,
        ...(rule === shown ? {} : { instead: shown }),
        agrees: findAgreement({ vote, rule, counts, recomputed, ...others }),
      },
    },
  )

/** All comparisons of a height that the log lacks. `tallies`: after the height's other events. */
export const observeTallies = async (
  height: ComparedHeight,
  tallies: OpenTallies,
): Promise<TallyObserved[]> => {
  const nowMs = toEpochMs(height.block.time)
  const { shown } = height
  const rule = tallies.ruleOf(shown)
  const votes = tallies.votes().slice(0, MAX_VOTES)
  // A tally that agreed before is served no longer once an input is missing.
  const due = votes.filter(
    (vote) => isComparisonDue(vote, { rule, nowMs }) || findMissing(vote, height) !== undefined,
  )
  const changed = (await readVotes(due, height)).filter((each) => hasChanged(each, rule))
  const compared = await compareAll(changed, rule)
  const differs = compared.some((one) => isComparable(one) && !findAgreement(one))
  // Another rule must be that of every vote, also of those that were not due.
  const found = differs && (await findRule(await readVotes(votes, height), { rule, shown }))
  const news = found || compared.filter((one) => isNews(one, nowMs))
  return news.map((one, order) => toEvent(one, { ...height, sub: SUB.tallies + order }))
}
