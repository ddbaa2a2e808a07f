// The facts of an endpoint as findings. Pure.
import { type Answer, isKnown, known, reasonOrNull } from '../../../../ingest/chain/answer.ts'
import { isDemoChain } from '../../../../ingest/contract/demo-chain.ts'
import { LIMITATIONS } from '../../../../ingest/contract/limitations.ts'
import { durationText, grouped } from '../../terminal/progress.ts'
import { type Check, type Finding, runChecks } from '../finding.ts'
import type { EndpointFacts } from './facts.ts'

export type CheckFact = Check<EndpointFacts>['check']

const OTHER = 'use another endpoint, or ask its operator'

const checkTip: CheckFact = ({ chainId, tip, blockSeconds, isCatchingUp }, { ok, warning }) => {
  const every = isKnown(blockSeconds) ? `, a block every ${blockSeconds.value.toFixed(1)} s` : ''
  const message = `${chainId} at height ${tip}${every}`
  return isCatchingUp
    ? warning(`${message}; the node is still catching up`, 'wait for it')
    : ok(message)
}

const checkVersions: CheckFact = ({ nodeVersion, app }, { ok }) => {
  const comet = `CometBFT ${nodeVersion || 'of an unknown version'}`
  if (!isKnown(app)) return ok(`${comet}; it does not report the version of its SDK`)
  const { name, version, sdkVersion } = app.value
  return ok(`${comet}, ${name} ${version}, Cosmos SDK ${sdkVersion || 'of an unknown version'}`)
}

/** `from height 8100 on: 100 heights, about 10 min` */
export const windowText = (
  { tip, blockSeconds }: Pick<EndpointFacts, 'tip' | 'blockSeconds'>,
  earliest: number,
): string => {
  const heights = tip - earliest + 1
  const time = isKnown(blockSeconds) ? `, about ${durationText(heights * blockSeconds.value)}` : ''
  return `${grouped(heights)} heights${time}`
}

const checkKept =
  (select: (facts: EndpointFacts) => Answer<number>): CheckFact =>
  (facts, { ok, problem }) => {
    const earliest = select(facts)
    return isKnown(earliest)
      ? ok(`from height ${earliest.value} on: ${windowText(facts, earliest.value)}`)
      : problem(`not readable: ${earliest.unavailable}`, OTHER)
  }

const checkTxIndex: CheckFact = ({ hasTxIndex }, { ok, notChecked }) =>
  hasTxIndex === undefined
    ? notChecked('the node does not report it; Rollcall does not need it')
    : ok(hasTxIndex ? 'on' : 'off; Rollcall does not need it')

const checkWebsocket: CheckFact = ({ websocket }, { ok }) =>
  isKnown(websocket)
    ? ok('available: a new height is reported at once')
    : ok(`not available (${websocket.unavailable}): new heights are polled`)

const checkCompression: CheckFact = ({ isCompressed }, { ok, notChecked }) => {
  if (!isKnown(isCompressed)) return notChecked(isCompressed.unavailable)
  return ok(isCompressed.value ? 'offered' : 'not offered: responses are larger than necessary')
}

/** Below this rate the tip of a chain with short block times cannot be followed during votes. */
const LOW_PACE = 10

const checkPace: CheckFact = ({ pace, refusals }, { ok, warning }) => {
  const { perSecond, requests, seconds, medianMs, stopped } = pace
  const earlier = refusals > 0 ? `; ${refusals} earlier requests were refused` : ''
  if (!stopped) {
    const sent = `${requests} requests in ${seconds.toFixed(1)} s, median ${medianMs} ms`
    return ok(`no refusal at up to ${perSecond} requests/s (${sent})${earlier}`)
  }
  const { reason, isRefusal, retryAfterSeconds: wait } = stopped
  const after = wait === undefined ? '' : `, and wants a pause of ${wait} s (Retry-After)`
  const what = isRefusal ? 'refuses' : 'fails'
  const rate = `${what} (${reason}) after ${perSecond} requests/s${after}${earlier}`
  return isRefusal && perSecond >= LOW_PACE
    ? ok(rate)
    : warning(rate, 'add a second endpoint, or use one with a higher limit')
}

const CLOCK_TOLERANCE_SECONDS = 5
const OLD_BLOCK_SECONDS = 60
const OLD_BLOCKS = 20

const checkClock: CheckFact = ({ chainId, clock, blockSeconds }, { ok, warning }) => {
  const { differenceSeconds: difference, latestBlockAgeSeconds: age } = clock
  const normal = isKnown(blockSeconds) ? blockSeconds.value * OLD_BLOCKS : 0
  const latest =
    age === undefined
      ? 'the latest block has no valid time'
      : age < -CLOCK_TOLERANCE_SECONDS
        ? `the latest block is ${durationText(-age)} in the future`
        : `the latest block is ${durationText(Math.max(0, age))} old`
  if (difference !== undefined && Math.abs(difference) > CLOCK_TOLERANCE_SECONDS) {
    const which = difference > 0 ? 'behind' : 'ahead of'
    return warning(
      `this machine is ${durationText(Math.abs(difference))} ${which} the endpoint; ${latest}`,
      'synchronize the clock of this machine (NTP): ages and freshness are computed with it',
    )
  }
  const isOld = age === undefined || age > Math.max(OLD_BLOCK_SECONDS, normal)
  const same = difference === undefined ? '' : 'the same as that of the endpoint; '
  if (isDemoChain(chainId)) return ok(`${same}the blocks of the demo chain have recorded times`)
  if (age !== undefined && !isOld && age >= -CLOCK_TOLERANCE_SECONDS) return ok(`${same}${latest}`)
  return warning(`${same}${latest}`, 'the chain has halted, or this node is behind: compare others')
}

const checkHeaders: CheckFact = ({ verifiedBy, tip }, { ok, warning }) =>
  isKnown(verifiedBy)
    ? ok(
        `verified at height ${tip - 1} with the signatures of ${verifiedBy.value} validators (Ed25519)`,
      )
    : warning(
        `not verifiable: ${verifiedBy.unavailable}`,
        'do not set VERIFY_HEADERS for this chain; proposals have no proofs',
      )

const openText = (count: number | null): string =>
  count === null ? 'the list of proposals is not readable' : `${count} votes are open`

const checkGov: CheckFact = ({ gov }, { ok, problem }) => {
  if (!isKnown(gov)) return problem(`not readable: ${reasonOrNull(gov)}`, OTHER)
  return gov.value === null
    ? problem(LIMITATIONS.no_gov.message, LIMITATIONS.no_gov.remedy)
    : ok(`${gov.value.package}; ${openText(gov.value.openVotes)}`)
}

const FACTS: readonly Check<EndpointFacts>[] = [
  { area: 'chain', check: checkTip },
  { area: 'node', check: checkVersions },
  { area: 'blocks', check: checkKept(({ earliest }) => known(earliest.block)) },
  { area: 'results', check: checkKept(({ earliest }) => earliest.results) },
  { area: 'state', check: checkKept(({ earliest }) => earliest.state) },
  { area: 'tx index', check: checkTxIndex },
  { area: 'websocket', check: checkWebsocket },
  { area: 'gzip', check: checkCompression },
  { area: 'pace', check: checkPace },
  { area: 'clock', check: checkClock },
  { area: 'headers', check: checkHeaders },
  { area: 'x/gov', check: checkGov },
]

export const factFindings = (facts: EndpointFacts): Finding[] => runChecks(FACTS, facts)
