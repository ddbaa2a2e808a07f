// Recomputes a tally only from its served evidence, step by step, and compares it with the served numbers.
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { toKnownCounts } from '../../../../ingest/contract/compare-tally.ts'
import { formatDecimal, parseDecimal } from '../../../../ingest/contract/decimal.ts'
import { Delegation } from '../../../../ingest/contract/delegation.ts'
import {
  GovParams,
  IntegerString,
  nullable,
  PoolState,
  TallyCounts,
  WeightedOption,
} from '../../../../ingest/contract/facts.ts'
import type { OptionSums } from '../../../../ingest/contract/option-sums.ts'
import { TallyStrategy } from '../../../../ingest/contract/tally-rule.ts'
import { decide, type Rules, toLimits } from '../../../../ingest/tally/decision.ts'
import { sameCounts } from '../../../../ingest/tally/strategy.ts'
import { RunningTally, type Tally, type TallyPool } from '../../../../ingest/tally/tally.ts'
import type { GetFromApi } from '../../../base/proof/verify-from-api.ts'
import {
  type ApiAddress,
  createGetFromApi,
  PageLinks,
  type ReadBody,
  readDetail,
  readPages,
  evidenceUnavailable as unavailable,
} from '../rollcall-client.ts'

/** Accepts only a body that matches the schema. */
const createBodyReader = <S extends TSchema>(schema: S): ReadBody<Static<S>> => {
  const check = Compile(schema)
  return (path, { status, body }) => {
    if (status !== 200) throw unavailable(`${path} answered ${status}${readDetail(body)}`)
    if (check.Check(body)) return body as Static<S>
    const [first] = check.Errors(body) as { instancePath: string; message: string }[]
    const where = `${first?.instancePath} ${first?.message}`
    throw unavailable(`${path} is not as documented: ${where}`)
  }
}

const readEvidence = createBodyReader(
  Type.Object({
    round: Type.Integer({ minimum: 0 }),
    strategy: Type.Optional(nullable(TallyStrategy)),
    complete: Type.Boolean(),
    incompleteReason: nullable(Type.String()),
    /** Only the first page has these members. */
    params: Type.Optional(nullable(GovParams)),
    bondedTokens: Type.Optional(nullable(IntegerString)),
    pools: Type.Optional(Type.Array(Type.Object({ pool: PoolState, counted: Type.Boolean() }))),
    items: Type.Array(
      Type.Object({
        voter: Type.String(),
        options: Type.Array(WeightedOption),
        delegations: Type.Array(Delegation),
      }),
    ),
    links: PageLinks,
  }),
)

const ServedProposal = Type.Object({
  proposalId: Type.String(),
  status: Type.String(),
  expedited: Type.Boolean(),
  round: nullable(Type.Integer({ minimum: 0 })),
  historyReason: Type.Optional(nullable(Type.String())),
  tally: nullable(Type.Object({ ...TallyCounts.properties, final: Type.Boolean() })),
})
type ServedProposal = Static<typeof ServedProposal>
const readProposal = createBodyReader(ServedProposal)

const Event = Type.Object({
  type: Type.String(),
  height: Type.Integer(),
  index: Type.Integer(),
  data: Type.Unknown(),
})
const readEvent = createBodyReader(Event)
const readEvents = createBodyReader(Type.Object({ items: Type.Array(Event), links: PageLinks }))
/** The data of an event that is shortened in a page. */
const shortened = Compile(Type.Object({ truncated: Type.Literal(true) }))
const endedRound = Compile(
  Type.Object({ round: Type.Integer(), finalTally: nullable(TallyCounts) }),
)
/** The events with the tally of a round that was not the last one. */
const ENDS_OF_ROUND = ['rollcall.voting.restarted.v1', 'rollcall.vote.reconstructed.v1']

/** The tally of the chain for a round that was restarted; null if it is unknown. */
const readEarlierTally = async (
  get: GetFromApi,
  path: string,
  round: number,
): Promise<TallyCounts | null> => {
  for await (const page of readPages(get, `${path}/events`, readEvents)) {
    for (const { type, height, index, data } of page.items) {
      if (!ENDS_OF_ROUND.includes(type)) continue
      const at = `${path}/events/${height}/${index}`
      const end = shortened.Check(data) ? readEvent(at, await get(at)).data : data
      if (endedRound.Check(end) && Math.max(end.round, 1) === round) return end.finalTally
    }
  }
  return null
}

/** The round is not known if the vote closed before the first indexed height; then there is no evidence. */
const findLatestRound = ({ proposalId, round, historyReason }: ServedProposal): number => {
  if (round === 0) throw unavailable(`proposal ${proposalId} had no voting period`)
  if (round !== null) return round
  const reason = historyReason ?? 'its voting round is not known'
  throw unavailable(`there is no evidence of proposal ${proposalId}: ${reason}`)
}

const latestCounts = ({ proposalId, status, tally }: ServedProposal): TallyCounts | null => {
  if (!tally?.final) {
    throw unavailable(`the vote on proposal ${proposalId} is still open: there is no tally yet`)
  }
  if (status === 'canceled') {
    throw unavailable(`proposal ${proposalId} was canceled: there is no tally`)
  }
  const { yes, abstain, no, noWithVeto } = tally
  const counts = { yes, abstain, no, noWithVeto }
  return toKnownCounts(counts) ? counts : null
}

type Evidence = {
  strategy: TallyStrategy
  pools: readonly TallyPool[]
  params: GovParams | null
  bondedTokens: string | null
  running: RunningTally
  ballots: number
}

const addEvidence = async (get: GetFromApi, path: string, round: number): Promise<Evidence> => {
  let added: Evidence | undefined
  const name = `the evidence of round ${round}`
  for await (const page of readPages(get, `${path}/evidence?round=${round}`, readEvidence)) {
    if (page.round !== round) throw unavailable(`${name} is that of round ${page.round}`)
    if (!page.complete) throw unavailable(`${name} is incomplete: ${page.incompleteReason}`)
    const { strategy = 'inherit', pools = [], params = null, bondedTokens = null, items } = page
    if (strategy === 'none' || strategy === null) {
      throw unavailable(`${name} has no tally rules: the chain uses its own`)
    }
    const running = added?.running ?? new RunningTally(pools, strategy)
    added ??= { strategy, pools, params, bondedTokens, ballots: 0, running }
    for (const ballot of items) running.add(ballot)
    added.ballots += items.length
  }
  if (!added) throw unavailable(`${name} has no page`)
  return added
}

/** Decimals as text, exact. */
const formatSums = ({ yes, abstain, no, noWithVeto }: OptionSums): OptionSums<string> => ({
  yes: formatDecimal(yes),
  abstain: formatDecimal(abstain),
  no: formatDecimal(no),
  noWithVeto: formatDecimal(noWithVeto),
})

const total = (sums: OptionSums): bigint => sums.yes + sums.abstain + sums.no + sums.noWithVeto

/** Pools with a vote of the validator or of delegators, most power first. `vote` is null if the validator did not vote. */
const poolWorkings = (tally: Tally, pools: readonly TallyPool[]) => {
  const monikers = new Map(pools.map(({ pool }) => [pool.operatorAddress, pool.moniker]))
  return [...tally.pools.values()]
    .filter(({ vote, delegators }) => vote !== null || delegators.ballots > 0)
    .sort((one, other) => (total(one.sums) < total(other.sums) ? 1 : -1))
    .map(({ operatorAddress, vote, votingPower, delegators, sums }) => ({
      operatorAddress,
      moniker: monikers.get(operatorAddress) ?? '',
      vote,
      votingPower: formatDecimal(votingPower),
      delegators: {
        ballots: delegators.ballots,
        votingPower: formatDecimal(delegators.votingPower),
        ...formatSums(delegators.sums),
      },
      tally: formatSums(sums),
    }))
}

/** In the order of the chain. Undecided if the divisor is zero or the limit is null, which is no such limit of the chain. */
const toComparisons = (decision: ReturnType<typeof decide>, rules: Rules) => {
  const { quorum, vetoThreshold, threshold } = toLimits(rules)
  const limits = { quorum, veto: vetoThreshold, threshold }
  return (['quorum', 'veto', 'threshold'] as const).map((name) => {
    const { value, isMet } = decision.comparisons[name]
    const stored = limits[name]
    const limit = stored === null ? null : formatDecimal(parseDecimal(stored))
    return { name, value: value === null ? null : formatDecimal(value), limit, isMet }
  })
}

/**
 * By default of the latest round. Throws `EVIDENCE_UNAVAILABLE` if the evidence or the served tally is missing. The decision is null if
 * the evidence lacks the parameters or the bonded total; `passes` is null without a threshold.
 */
export async function verifyTally({
  proposalId,
  round: requested,
  ...address
}: ApiAddress & { proposalId: string; round: number | undefined }) {
  const get = createGetFromApi(address)
  const path = `/api/proposals/${proposalId}`
  const proposal = readProposal(path, await get(path))
  const latest = findLatestRound(proposal)
  const round = requested ?? latest
  if (round > latest) {
    throw unavailable(`proposal ${proposalId} has no round ${round}: the latest is ${latest}`)
  }
  const served =
    round === latest ? latestCounts(proposal) : await readEarlierTally(get, path, round)
  if (!served) {
    const what = `the chain's tally of round ${round} of proposal ${proposalId}`
    throw unavailable(`${what} is not known`)
  }
  const { running, pools, ...evidence } = await addEvidence(get, path, round)
  const { strategy, ballots, params, bondedTokens } = evidence
  // A round before the last one was expedited: only an expedited vote has another round.
  const expedited = round < latest || proposal.expedited
  const tally = running.finish()
  const rules = params && bondedTokens !== null ? { params, bondedTokens, expedited } : null
  const decision = rules && decide(tally, rules)
  return {
    proposalId,
    round,
    strategy,
    ballots,
    pools: poolWorkings(tally, pools),
    sums: formatSums(tally.sums),
    votingPower: formatDecimal(tally.votingPower),
    bondedTokens,
    comparisons: rules && decision ? toComparisons(decision, rules) : [],
    decision: decision && { passes: decision.passes, reason: decision.reason },
    recomputed: tally.counts,
    served,
    equal: sameCounts(tally.counts, served),
  }
}

export type Working = Awaited<ReturnType<typeof verifyTally>>
export type PoolWorking = Working['pools'][number]
export type Comparison = Working['comparisons'][number]
