// What Rollcall can and cannot serve from an endpoint with these facts, each in one sentence. Pure.
import { isKnown } from '../../../../ingest/chain/answer.ts'
import { durationText, grouped } from '../../terminal/progress.ts'
import { type Check, type Finding, runChecks } from '../finding.ts'
import { type CheckFact, windowText } from './fact-findings.ts'
import type { EndpointFacts } from './facts.ts'

const ARCHIVE = 'add an archive endpoint to CHAIN_RPC_URLS'

const checkOpenVotes: CheckFact = ({ earliest }, { ok, problem }) =>
  isKnown(earliest.state)
    ? ok(
        'complete tallies: ballots and stake come from the state; time and transaction only from the start on',
      )
    : problem('no tallies: the state of the chain is not readable', ARCHIVE)

/** An outage or an upgrade of Rollcall may last so long. */
const SHORT_WINDOW_SECONDS = 3_600

const checkNewVotes: CheckFact = (facts, { ok, warning, problem }) => {
  const { earliest, tip, blockSeconds } = facts
  if (!isKnown(earliest.results)) {
    return problem(
      'none: the events of blocks are not readable',
      'use a node with discard_abci_responses = false in its config.toml',
    )
  }
  if (!isKnown(earliest.state)) return problem('without power: stake is not readable', ARCHIVE)
  const isArchive = earliest.state.value <= earliest.block
  const seconds = isKnown(blockSeconds) ? (tip - earliest.state.value + 1) * blockSeconds.value : 0
  if (isArchive || seconds >= SHORT_WINDOW_SECONDS) {
    return ok('complete from the start on, each with its time, transaction and stake')
  }
  return warning(
    `complete from the start on, if Rollcall is never more than ${windowText(facts, earliest.state.value)} behind`,
    'add an endpoint that keeps more states: after a longer outage, stake is unknown',
  )
}

/** The lowest START_HEIGHT: block and results of the height, and the state before it. */
const findEarliestStart = ({ earliest }: EndpointFacts): number | undefined => {
  const { block, results, state } = earliest
  if (!isKnown(results) || !isKnown(state)) return undefined
  return Math.max(block, results.value, state.value === 1 ? 1 : state.value + 1)
}

const checkClosedVotes: CheckFact = (facts, { ok, warning }) => {
  const start = findEarliestStart(facts)
  const onlyFinal = 'only with the final tally of the chain, without ballots'
  if (start === undefined) return warning(onlyFinal, ARCHIVE)
  if (start === 1) return ok('all of them with every ballot: START_HEIGHT=earliest')
  const kept = windowText(facts, start)
  return warning(
    `those of the last ${kept}: with every ballot (START_HEIGHT=${start}); earlier ones: ${onlyFinal}`,
    ARCHIVE,
  )
}

const DAY_SECONDS = 86_400
/** Block and results; a height with votes needs more. */
const REQUESTS_PER_HEIGHT = 2

const checkBackfill: CheckFact = ({ blockSeconds, pace }, { ok, notChecked }) => {
  if (!isKnown(blockSeconds) || pace.perSecond === 0) return notChecked('the pace is unknown')
  const requests = (DAY_SECONDS / blockSeconds.value) * REQUESTS_PER_HEIGHT
  const time = durationText(requests / pace.perSecond)
  return ok(
    `a day of past blocks takes at least ${grouped(requests)} requests: ${time} at the pace found`,
  )
}

const checkProofs: CheckFact = ({ verifiedBy }, { ok, warning }) =>
  isKnown(verifiedBy)
    ? ok('VERIFY_HEADERS=true is possible, and proposals can have proofs')
    : warning('none: headers are not verifiable', 'another endpoint of this chain may differ')

const SERVICES: readonly Check<EndpointFacts>[] = [
  { area: 'open votes', check: checkOpenVotes },
  { area: 'new votes', check: checkNewVotes },
  { area: 'closed votes', check: checkClosedVotes },
  { area: 'backfill', check: checkBackfill },
  { area: 'proofs', check: checkProofs },
]

/** Nothing if the chain has no x/gov. */
export const serviceFindings = (facts: EndpointFacts): Finding[] =>
  isKnown(facts.gov) && facts.gov.value === null ? [] : runChecks(SERVICES, facts)
