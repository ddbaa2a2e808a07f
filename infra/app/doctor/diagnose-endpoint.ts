// The one diagnosis of an endpoint, for `rollcall doctor --endpoint` and for the endpoints of a deployment: a table of what is checked,
// with a sentence and a remedy for each.
import { isKnown } from '../../../ingest/chain/answer.ts'
import { explainAddress } from '../../../ingest/comet/endpoints/explain-address.ts'
import type { Headers } from '../../../ingest/comet/transport/http-post.ts'
import { isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import { LIMITATIONS } from '../../../ingest/contract/limitations.ts'
import { type Clock, systemClock } from '../../base/runtime/clock.ts'
import { isHttpUrl } from '../../base/runtime/config.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { durationText, grouped } from '../terminal/progress.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'
import { createAreaFindings, type Finding, type Reporter } from './finding.ts'

/** What a deployment expects of its endpoints. */
export type Expected = {
  /** Undefined if neither settings nor log name it. */
  chainId: string | undefined
  /** The last block in the log. */
  indexed: IndexedBlock | undefined
}

type Row = {
  area: string
  /** Many requests: not for the repeated check of a deployment. */
  isCostly?: true
  find(endpoint: Endpoint, report: Reporter): Promise<Finding>
}

const OTHER = 'use another endpoint, or ask its operator'
const ARCHIVE = 'add an archive endpoint to CHAIN_RPC_URLS'

/** `100 heights, about 10 min` */
const windowText = async (endpoint: Endpoint, earliest: number): Promise<string> => {
  const heights = endpoint.tip - earliest + 1
  const seconds = await endpoint.blockSeconds()
  const time = isKnown(seconds) ? `, about ${durationText(heights * seconds.value)}` : ''
  return `${grouped(heights)} heights${time}`
}

const keptText = async (endpoint: Endpoint, earliest: number): Promise<string> =>
  `from height ${earliest} on: ${await windowText(endpoint, earliest)}`

const findKept =
  (read: (endpoint: Endpoint) => Endpoint['earliestState']): Row['find'] =>
  async (endpoint, { ok, problem }) => {
    const earliest = await read(endpoint)()
    return isKnown(earliest)
      ? ok(await keptText(endpoint, earliest.value))
      : problem(`not readable: ${earliest.unavailable}`, OTHER)
  }

const CLOCK_TOLERANCE_SECONDS = 5
const OLD_BLOCK_SECONDS = 60
const OLD_BLOCKS = 20

const latestBlockText = (age: number): string => {
  if (Number.isNaN(age)) return 'the latest block has no valid time'
  return age < -CLOCK_TOLERANCE_SECONDS
    ? `the latest block is ${durationText(-age)} in the future`
    : `the latest block is ${durationText(Math.max(0, age))} old`
}

const findClock: Row['find'] = async (endpoint, { ok, warning }) => {
  const [difference, every] = [await endpoint.clockDifference(), await endpoint.blockSeconds()]
  const { latestBlockAgeSeconds: age } = endpoint
  const latest = latestBlockText(age)
  if (isKnown(difference) && Math.abs(difference.value) > CLOCK_TOLERANCE_SECONDS) {
    const which = difference.value > 0 ? 'behind' : 'ahead of'
    return warning(
      `this machine is ${durationText(Math.abs(difference.value))} ${which} the endpoint; ${latest}`,
      'synchronize the clock of this machine (NTP): ages and freshness are computed with it',
    )
  }
  const same = isKnown(difference) ? 'the same as that of the endpoint; ' : ''
  if (isDemoChain(endpoint.chainId)) {
    return ok(`${same}the blocks of the demo chain have recorded times`)
  }
  const oldest = Math.max(OLD_BLOCK_SECONDS, isKnown(every) ? every.value * OLD_BLOCKS : 0)
  return age >= -CLOCK_TOLERANCE_SECONDS && age <= oldest
    ? ok(`${same}${latest}`)
    : warning(`${same}${latest}`, 'the chain has halted, or this node is behind: compare others')
}

const FACTS: readonly Row[] = [
  {
    area: 'chain',
    find: async (endpoint, { ok, warning }) => {
      const seconds = await endpoint.blockSeconds()
      const every = isKnown(seconds) ? `, a block every ${seconds.value.toFixed(1)} s` : ''
      const message = `${endpoint.chainId} at height ${endpoint.tip}${every}`
      return endpoint.isCatchingUp
        ? warning(`${message}; the node is still catching up`, 'wait for it')
        : ok(message)
    },
  },
  {
    area: 'node',
    find: async (endpoint, { ok }) => {
      const app = await endpoint.app()
      const comet = `CometBFT ${endpoint.nodeVersion || 'of an unknown version'}`
      if (!isKnown(app)) return ok(`${comet}; it does not report the version of its SDK`)
      const { appName, version, cosmosSdkVersion: sdk } = app.value
      return ok(`${comet}, ${appName} ${version}, Cosmos SDK ${sdk || 'of an unknown version'}`)
    },
  },
  {
    area: 'blocks',
    find: async (endpoint, { ok }) => ok(await keptText(endpoint, endpoint.earliestBlock)),
  },
  { area: 'results', isCostly: true, find: findKept(({ earliestResults }) => earliestResults) },
  { area: 'state', isCostly: true, find: findKept(({ earliestState }) => earliestState) },
  {
    area: 'websocket',
    find: async (endpoint, { ok }) => {
      const open = await endpoint.websocket()
      return isKnown(open)
        ? ok('available: a new height is reported at once')
        : ok(`not available (${open.unavailable}): new heights are polled`)
    },
  },
  {
    area: 'headers',
    find: async (endpoint, { ok, warning }) => {
      const by = await endpoint.verifiedBy()
      if (!isKnown(by)) {
        const remedy = 'do not set VERIFY_HEADERS for this chain; proposals have no proofs'
        return warning(`not verifiable: ${by.unavailable}`, remedy)
      }
      const signers = `the signatures of ${by.value} validators (Ed25519)`
      return ok(`verified at height ${endpoint.tip - 1} with ${signers}`)
    },
  },
  {
    area: 'x/gov',
    find: async (endpoint, { ok, problem }) => {
      const gov = await endpoint.gov()
      if (!isKnown(gov)) return problem(`not readable: ${gov.unavailable}`, OTHER)
      const { no_gov: none } = LIMITATIONS
      if (gov.value === null) return problem(none.message, none.remedy)
      const { package: name, openVotes } = gov.value
      const open =
        openVotes === null ? 'the list of proposals is not readable' : `${openVotes} votes are open`
      return ok(`${name}; ${open}`)
    },
  },
  { area: 'clock', find: findClock },
]

/** An outage or an upgrade of Rollcall may last so long. */
const SHORT_WINDOW_SECONDS = 3_600

const findNewVotes: Row['find'] = async (endpoint, { ok, warning, problem }) => {
  if (!isKnown(await endpoint.earliestResults())) {
    return problem(
      'none: the events of blocks are not readable',
      'use a node with discard_abci_responses = false in its config.toml',
    )
  }
  const state = await endpoint.earliestState()
  if (!isKnown(state)) return problem('without power: stake is not readable', ARCHIVE)
  const every = await endpoint.blockSeconds()
  const seconds = isKnown(every) ? (endpoint.tip - state.value + 1) * every.value : 0
  if (state.value <= endpoint.earliestBlock || seconds >= SHORT_WINDOW_SECONDS) {
    return ok('complete from the start on, each with its time, transaction and stake')
  }
  const kept = await windowText(endpoint, state.value)
  return warning(
    `complete from the start on, if Rollcall is never more than ${kept} behind`,
    'add an endpoint that keeps more states: after a longer outage, stake is unknown',
  )
}

const findClosedVotes: Row['find'] = async (endpoint, { ok, warning }) => {
  const [results, state] = [await endpoint.earliestResults(), await endpoint.earliestState()]
  const onlyFinal = 'only with the final tally of the chain, without ballots'
  if (!isKnown(results) || !isKnown(state)) return warning(onlyFinal, ARCHIVE)
  // The lowest START_HEIGHT needs block and results of the height, and the state before it.
  const afterState = state.value === 1 ? 1 : state.value + 1
  const start = Math.max(endpoint.earliestBlock, results.value, afterState)
  if (start === 1) return ok('all of them with every ballot: START_HEIGHT=earliest')
  const kept = await windowText(endpoint, start)
  return warning(
    `those of the last ${kept}: with every ballot (START_HEIGHT=${start}); earlier ones: ${onlyFinal}`,
    ARCHIVE,
  )
}

/** What Rollcall can and cannot serve from the endpoint. Nothing if the chain has no x/gov. */
const SERVICES: readonly Row[] = [
  {
    area: 'open votes',
    isCostly: true,
    find: async (endpoint, { ok, problem }) =>
      isKnown(await endpoint.earliestState())
        ? ok(
            'complete tallies: ballots and stake come from the state; time and transaction only from the start on',
          )
        : problem('no tallies: the state of the chain is not readable', ARCHIVE),
  },
  { area: 'new votes', isCostly: true, find: findNewVotes },
  { area: 'closed votes', isCostly: true, find: findClosedVotes },
  {
    area: 'proofs',
    isCostly: true,
    find: async (endpoint, { ok, warning }) =>
      isKnown(await endpoint.verifiedBy())
        ? ok('VERIFY_HEADERS=true is possible, and proposals can have proofs')
        : warning('none: headers are not verifiable', 'another endpoint of this chain may differ'),
  },
]

const { ok, warning, problem } = createAreaFindings('address')

/** What the deployment needs of the endpoint next. A chain that was started again keeps its chain ID. */
const findMisfits = async (
  endpoint: Endpoint,
  { chainId, indexed }: Expected,
): Promise<Finding[]> => {
  const { earliestBlock, tip } = endpoint
  if (chainId !== undefined && endpoint.chainId !== chainId) {
    const message = `it is on chain ${endpoint.chainId}, not on ${chainId}`
    return [problem(message, 'remove it from CHAIN_RPC_URLS')]
  }
  const findings: Finding[] = []
  const next = Math.min(indexed ? indexed.height + 1 : tip, tip)
  if (next < earliestBlock) {
    const message = `it has blocks from ${earliestBlock} on, and height ${next} is next`
    const remedy = 'add an archive endpoint; without one the log cannot continue'
    return [warning(message, remedy)]
  }
  const state = await endpoint.stateAt(next)
  if (!isKnown(state)) {
    const message = `it cannot query the state at height ${next}: ${state.unavailable}`
    const remedy = 'add an endpoint that keeps more state; without it votes there lack their stake'
    findings.push(warning(message, remedy))
  }
  if (!indexed || indexed.height < earliestBlock || indexed.height > tip) return findings
  const hash = await endpoint.hashAt(indexed.height)
  if (hash === indexed.hash) return findings
  const message = `it has the block ${hash} at height ${indexed.height}, but the log has ${indexed.hash}`
  const remedy =
    'if the chain was started again, index it into another DATA_DIR; otherwise remove the endpoint'
  return [...findings, problem(message, remedy)]
}

const describeFailure = (error: AppError): Finding => {
  if (error.code === 'RPC_LIMITED' || hasCode(error.cause, 'RPC_LIMITED')) {
    const remedy = 'check its key in CHAIN_RPC_HEADERS, set RPC_REQUESTS_PER_SECOND, or wait'
    return problem(`it refuses requests: ${error.message}`, remedy)
  }
  const { what, remedy } = explainAddress(error) ?? {
    what: `it does not respond like a node: ${error.message}`,
    remedy: 'check the address, its key in CHAIN_RPC_HEADERS, and the node',
  }
  return problem(what, remedy)
}

/** How long requests are repeated that the endpoint refuses, for example because of those of a running Rollcall. */
const PATIENCE_MS = 10_000
const SHORT_PATIENCE_MS = 2_000

export type DiagnoseOptions = {
  address: string
  /** Of the settings, such as a key. */
  headers?: Headers | undefined
  /** Of an endpoint that a deployment uses: only what needs few requests is checked. */
  expected?: Expected
  signal: AbortSignal
  clock?: Clock
}

export type Diagnosis = { findings: Finding[]; tip?: number }

/** Names only the host: the path of the URL may be secret. */
export async function diagnoseEndpoint(options: DiagnoseOptions): Promise<Diagnosis> {
  const { address, headers, expected, signal, clock = systemClock } = options
  if (!isHttpUrl(address)) {
    const remedy = 'use that of the RPC, usually http://…:26657'
    return { findings: [problem('this is not an http or https URL', remedy)] }
  }
  const url = new URL(address)
  const named = (finding: Finding): Finding => ({
    ...finding,
    message: `${url.host}: ${finding.message}`,
  })
  const patienceMs = expected ? SHORT_PATIENCE_MS : PATIENCE_MS
  let endpoint: Endpoint | undefined
  try {
    endpoint = await openEndpoint({ url, headers, patienceMs, signal, clock })
    const { tip } = endpoint
    const findings = [ok(`${url.host} is the RPC of a CometBFT node`)]
    if (expected) findings.push(...(await findMisfits(endpoint, expected)).map(named))
    if (findings.some(({ level }) => level === 'problem')) return { findings, tip }
    const gov = await endpoint.gov()
    const rows = isKnown(gov) && gov.value === null ? FACTS : [...FACTS, ...SERVICES]
    for (const { area, isCostly, find } of rows) {
      if (isCostly && expected) continue
      const finding = await find(endpoint, createAreaFindings(area))
      findings.push(expected ? named(finding) : finding)
    }
    return { findings, tip }
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return { findings: [named(describeFailure(error))] }
  } finally {
    endpoint?.close()
  }
}
