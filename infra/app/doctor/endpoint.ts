// The one diagnosis of an endpoint, for `rollcall doctor --endpoint` and for the endpoints of a deployment: its facts are read one after
// the other, and a table has the sentence and the remedy for each.
import { type Answer, isKnown, known, unavailable } from '../../../ingest/chain/answer.ts'
import { openProposalsAt } from '../../../ingest/chain/gov.ts'
import { withGovPackage } from '../../../ingest/chain/gov-package.ts'
import { findGov } from '../../../ingest/chain/module-presence.ts'
import { bondedTokensAt } from '../../../ingest/chain/staking.ts'
import { toEpochMs } from '../../../ingest/chain/time.ts'
import type { HeaderBlock } from '../../../ingest/comet/blocks/decode-block.ts'
import { findHeaders, MAX_HEADERS } from '../../../ingest/comet/blocks/quiet.ts'
import { KEEP_RESULTS } from '../../../ingest/comet/endpoints/endpoint.ts'
import { explainAddress, OTHER_HISTORY } from '../../../ingest/comet/endpoints/endpoint-health.ts'
import type { ChainNode, NodeStatus } from '../../../ingest/comet/endpoints/node.ts'
import { findLowestKept } from '../../../ingest/comet/endpoints/window.ts'
import { queryAbci } from '../../../ingest/comet/transport/abci-answer.ts'
import type { Headers } from '../../../ingest/comet/transport/http-post.ts'
import { createMemoryBudget } from '../../../ingest/comet/transport/memory-budget.ts'
import { RpcClient } from '../../../ingest/comet/transport/rpc.ts'
import {
  decodeStatus,
  type RpcBlock,
  type RpcStatus,
} from '../../../ingest/comet/transport/wire.ts'
import { readLightBlockJson } from '../../../ingest/comet/verification/light-block.ts'
import { verifySignature } from '../../../ingest/comet/verification/validator-sets.ts'
import { isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import { LIMITATIONS } from '../../../ingest/contract/limitations.ts'
import { readLightBlock } from '../../base/proof/light-block.ts'
import { ProofError } from '../../base/proof/proof-error.ts'
import { type Clock, systemClock } from '../../base/runtime/clock.ts'
import { isHttpUrl } from '../../base/runtime/config.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry, withDeadline } from '../../base/runtime/retry.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { durationText, grouped } from '../terminal/progress.ts'
import { type Finding, type Findings, inArea, ok, problem, warning } from './finding.ts'

/** What a deployment expects of its endpoints. */
export type Expected = {
  /** Undefined if neither settings nor log name it. */
  chainId: string | undefined
  /** The last block in the log. */
  indexed: IndexedBlock | undefined
}

type Call = RpcClient['call']
type Node = Pick<ChainNode, 'abciQuery'>
type Connection = { call: Call; node: Node; clock: Clock }

/** An outage in the middle of the diagnosis leaves the fact unknown. */
const attempt = async <Value>(read: () => Promise<Answer<Value>>): Promise<Answer<Value>> => {
  try {
    return await read()
  } catch (error) {
    const isExpected = error instanceof AppError || error instanceof ProofError
    if (!isExpected || hasCode(error, 'ABORTED')) throw error
    return unavailable(error.message)
  }
}

/** The nodes behind one URL are not equally far. */
const SPREAD = 2

const readRecent = async (call: Call, { chainId, latestHeight, earliestHeight }: NodeStatus) => {
  const to = Math.max(1, earliestHeight, latestHeight - SPREAD)
  const range = { from: Math.max(1, earliestHeight, to - MAX_HEADERS + 1), to }
  return (await findHeaders({ call }, range, chainId)).headers
}

/** The average; 0 if there are too few blocks. */
const secondsPerBlock = (headers: readonly HeaderBlock[]): number => {
  const [first, last] = [headers[0], headers.at(-1)]
  if (!first || !last || first === last) return 0
  return (toEpochMs(last.time) - toEpochMs(first.time)) / 1000 / (last.height - first.height)
}

/** Below the tip, a refusal of any kind means that the height is not kept. */
const hasResults = async (call: Call, height: number): Promise<boolean> => {
  try {
    await call('block_results', { height: `${height}` })
    return true
  } catch (error) {
    if (hasCode(error, 'HEIGHT_UNAVAILABLE') || hasCode(error, 'RPC_REFUSED')) return false
    throw error
  }
}

const lowestIn = async (
  range: { from: number; to: number },
  isKept: (height: number) => Promise<boolean>,
): Promise<Answer<number>> => {
  const lowest = await findLowestKept(range, isKept)
  return lowest === null ? unavailable(`it has none of height ${range.to}`) : known(lowest)
}

/** The number of validators whose signatures of a header are right. */
const readVerified = async (call: Call, chainId: string, height: number) => {
  const json = await readLightBlockJson({ call }, BigInt(height))
  const { validators } = readLightBlock(json, chainId, { path: 'header', verifySignature })
  return known(validators.length)
}

/** Null if the chain has no x/gov. */
const readGov = async ({ node, clock }: Connection, height: number) => {
  const logger = createLogger({ service: 'doctor', level: 'silent' })
  const govNode = withGovPackage(node, { clock, logger })
  const presence = await findGov(govNode, height)
  if (presence === 'absent') return known(null)
  if (presence === 'unknown') return unavailable('the node does not return its parameters')
  const name = govNode.govPackage()
  const open = await openProposalsAt(govNode, height)
  if (!isKnown(open)) return known(`${name}; the list of proposals is not readable`)
  const votes = open.value.filter(({ proposal }) => proposal.status === 'voting_period')
  return known(`${name}; ${votes.length} votes are open`)
}

const NOT_SEARCHED = unavailable('not searched')

/** The searches need many requests: they are not for the repeated check of a deployment. */
const readFacts = async (connection: Connection, status: NodeStatus, searches: boolean) => {
  const { call, node, clock } = connection
  const { chainId, latestHeight: tip } = status
  const earliestBlock = Math.max(1, status.earliestHeight)
  // The results and the commit of the latest height may not be complete.
  const settled = Math.max(1, tip - 1)
  const range = { from: earliestBlock, to: settled }
  const search = async (read: () => Promise<Answer<number>>) =>
    searches ? await attempt(read) : NOT_SEARCHED
  const recent = await attempt(async () => known(await readRecent(call, status)))
  const headers = isKnown(recent) ? recent.value : []
  return {
    chainId,
    tip,
    isCatchingUp: status.catchingUp,
    earliestBlock,
    latestBlockAge: (clock.now() - toEpochMs(status.latestTime)) / 1000,
    gov: await attempt<string | null>(() => readGov(connection, settled)),
    blockSeconds: secondsPerBlock(headers),
    earliestResults: await search(() => lowestIn(range, (height) => hasResults(call, height))),
    earliestState: await search(async () => {
      const latest = await bondedTokensAt(node, settled)
      const isKept = async (height: number) => isKnown(await bondedTokensAt(node, height))
      return isKnown(latest) ? await lowestIn(range, isKept) : latest
    }),
    verifiedBy: await attempt(() => readVerified(call, chainId, settled)),
  }
}

type Facts = Awaited<ReturnType<typeof readFacts>>

const OTHER = 'use another endpoint, or ask its operator'
const ARCHIVE = 'add an archive endpoint to CHAIN_RPC_URLS'

/** `100 heights, about 10 min` */
const windowText = ({ tip, blockSeconds }: Facts, earliest: number): string => {
  const heights = tip - earliest + 1
  const time = blockSeconds > 0 ? `, about ${durationText(heights * blockSeconds)}` : ''
  return `${grouped(heights)} heights${time}`
}

const keptText = (facts: Facts, earliest: number): string =>
  `from height ${earliest} on: ${windowText(facts, earliest)}`

const CLOCK_TOLERANCE_SECONDS = 5
const OLD_BLOCK_SECONDS = 60
const OLD_BLOCKS = 20

const chainSentence = (facts: Facts): Finding => {
  const { chainId, tip, isCatchingUp, latestBlockAge: age, blockSeconds: every } = facts
  const rate = every > 0 ? `, a block every ${every.toFixed(1)} s` : ''
  const message = `${chainId} at height ${tip}${rate}`
  if (isCatchingUp) return warning(`${message}; the node is still catching up`, 'wait for it')
  // Its blocks have recorded times.
  if (isDemoChain(chainId)) return ok(message)
  if (Number.isNaN(age)) return warning(`${message}; the last one has no valid time`, OTHER)
  if (age < -CLOCK_TOLERANCE_SECONDS) {
    const remedy = 'synchronize the clock of this machine (NTP): ages are computed with it'
    return warning(`${message}; the last one is ${durationText(-age)} in the future`, remedy)
  }
  const aged = `${message}; the last one is ${durationText(Math.max(0, age))} old`
  return age <= Math.max(OLD_BLOCK_SECONDS, every * OLD_BLOCKS)
    ? ok(aged)
    : warning(aged, 'the chain has halted, this node is behind, or the clock here is wrong')
}

/** An outage or an upgrade of Rollcall may last so long. */
const SHORT_WINDOW_SECONDS = 3_600

const stateSentence = (facts: Facts): Finding => {
  const { earliestState: state, blockSeconds, tip, earliestBlock } = facts
  if (!isKnown(state)) return problem(`no tallies: ${state.unavailable}`, ARCHIVE)
  const kept = `${keptText(facts, state.value)}: the tallies of open and new votes are complete`
  const seconds = (tip - state.value + 1) * blockSeconds
  if (state.value <= earliestBlock || seconds >= SHORT_WINDOW_SECONDS) return ok(kept)
  const remedy = 'add an endpoint that keeps more states: after a longer outage, stake is unknown'
  return warning(`${kept}, if Rollcall is never further behind`, remedy)
}

const closedVotesSentence = (facts: Facts): Findings => {
  const { earliestResults: results, earliestState: state, earliestBlock, gov } = facts
  if (isKnown(gov) && gov.value === null) return []
  const onlyFinal = 'only with the final tally of the chain, without ballots'
  if (!isKnown(results) || !isKnown(state)) return warning(onlyFinal, ARCHIVE)
  // The lowest START_HEIGHT needs block and results of the height, and the state before it.
  const afterState = state.value === 1 ? 1 : state.value + 1
  const start = Math.max(earliestBlock, results.value, afterState)
  if (start === 1) return ok('all of them with every ballot: START_HEIGHT=earliest')
  const kept = windowText(facts, start)
  return warning(
    `those of the last ${kept}: with every ballot (START_HEIGHT=${start}); earlier ones: ${onlyFinal}`,
    ARCHIVE,
  )
}

type Row = { fact: string; sentence(facts: Facts): Findings }

/** What the endpoint has. */
const ROWS: readonly Row[] = [
  { fact: 'chain', sentence: chainSentence },
  { fact: 'blocks', sentence: (facts) => ok(keptText(facts, facts.earliestBlock)) },
  {
    fact: 'headers',
    sentence: ({ verifiedBy: by, tip }) =>
      isKnown(by)
        ? ok(
            `verified at height ${tip - 1} with the signatures of ${by.value} validators (Ed25519): VERIFY_HEADERS=true is possible`,
          )
        : warning(
            `not verifiable: ${by.unavailable}`,
            'do not set VERIFY_HEADERS for this chain; proposals have no proofs',
          ),
  },
  {
    fact: 'x/gov',
    sentence: ({ gov }) => {
      if (!isKnown(gov)) return problem(`not readable: ${gov.unavailable}`, OTHER)
      const { message, remedy } = LIMITATIONS.no_gov
      return gov.value === null ? problem(message, remedy) : ok(gov.value)
    },
  },
]

/** What it keeps, and what Rollcall can serve from it: of a diagnosis with searches. */
const SEARCHED: readonly Row[] = [
  {
    fact: 'results',
    sentence: (facts) =>
      isKnown(facts.earliestResults)
        ? ok(`${keptText(facts, facts.earliestResults.value)}: each new vote has its time`)
        : problem(`no new votes: ${facts.earliestResults.unavailable}`, KEEP_RESULTS),
  },
  { fact: 'state', sentence: stateSentence },
  { fact: 'closed votes', sentence: closedVotesSentence },
]

const readHash = async (call: Call, height: number): Promise<string | undefined> =>
  (await call<RpcBlock>('block', { height: `${height}` })).block_id?.hash ?? undefined

/** What the deployment needs of the endpoint next. A chain that was started again keeps its chain ID. */
const findMisfits = async (
  { call, node }: Connection,
  { chainId: actual, latestHeight: tip, earliestHeight }: NodeStatus,
  { chainId, indexed }: Expected,
): Promise<Finding[]> => {
  if (chainId !== undefined && actual !== chainId) {
    const message = `it is on chain ${actual}, not on ${chainId}`
    return [problem(message, 'remove it from CHAIN_RPC_URLS')]
  }
  const next = Math.min(indexed ? indexed.height + 1 : tip, tip)
  if (next < earliestHeight) {
    const message = `it has blocks from ${earliestHeight} on, and height ${next} is next`
    return [warning(message, 'add an archive endpoint; without one the log cannot continue')]
  }
  const findings: Finding[] = []
  const state = await bondedTokensAt(node, next)
  if (!isKnown(state)) {
    const message = `it cannot query the state at height ${next}: ${state.unavailable}`
    const remedy = 'add an endpoint that keeps more state; without it votes there lack their stake'
    findings.push(warning(message, remedy))
  }
  if (!indexed || indexed.height < earliestHeight || indexed.height > tip) return findings
  const hash = await readHash(call, indexed.height)
  if (hash === indexed.hash) return findings
  const message = `it has the block ${hash} at height ${indexed.height}, but the log has ${indexed.hash}`
  return [...findings, problem(message, OTHER_HISTORY)]
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

const CALL_MS = 5_000
/** Shared by all diagnoses at the same time. */
const BUDGET = createMemoryBudget(256 * 2 ** 20)
const CONCURRENT_CALLS = 4

/** `patience`: how long requests are repeated that the endpoint refuses, for example because of those of a running Rollcall. */
const SEARCH_MS = { patience: 10_000, limit: 300_000 }
const CHECK_MS = { patience: 2_000, limit: 12_000 }

export type DiagnoseOptions = {
  address: string
  /** Of the settings, such as a key. */
  headers?: Headers | undefined
  /** Of an endpoint that a deployment uses. */
  expected?: Expected
  /** Whether the earliest state and results are searched; by default only without a deployment, which needs few requests. */
  searches?: boolean
  /** A slower endpoint has a problem. */
  limitMs?: number
  signal: AbortSignal
  clock?: Clock
}

export type Diagnosis = { findings: Finding[]; facts?: Facts }

const withConnection = <T>(
  { address, headers, limitMs, searches = true, signal, clock = systemClock }: DiagnoseOptions,
  use: (connection: Connection) => Promise<T>,
): Promise<T> => {
  const { patience, limit } = searches ? SEARCH_MS : CHECK_MS
  return withDeadline(limitMs ?? limit, signal, async (own) => {
    const rpc = new RpcClient({
      url: new URL(address).href,
      headers,
      timeoutMs: CALL_MS,
      maxConcurrentCalls: CONCURRENT_CALLS,
      budget: BUDGET,
      clock,
    })
    const refused = { ...policies.chainRead(patience), clock, signal: own }
    const when = ({ code }: AppError) => code === 'RPC_LIMITED'
    const call: Call = (method, params) =>
      retry(() => rpc.call(method, params, { signal: own }), { ...refused, when })
    try {
      return await use({ call, node: { abciQuery: (request) => queryAbci(call, request) }, clock })
    } finally {
      rpc.close()
    }
  })
}

/** Undefined if the endpoint does not have the block, or does not answer. */
export async function readBlockHash(
  options: DiagnoseOptions,
  height: number,
): Promise<string | undefined> {
  try {
    return await withConnection(options, ({ call }) => readHash(call, height))
  } catch (error) {
    if (options.signal.aborted || !(error instanceof AppError)) throw error
    return undefined
  }
}

/** Names only the host: the path of the URL may be secret. */
export async function diagnoseEndpoint(options: DiagnoseOptions): Promise<Diagnosis> {
  const { address, expected, searches = expected === undefined, signal } = options
  if (!isHttpUrl(address)) {
    const remedy = 'use that of the RPC, usually http://…:26657'
    const wrong = problem('this is not an http or https URL', remedy)
    return { findings: inArea('address', wrong) }
  }
  const { host } = new URL(address)
  const named = (finding: Finding): Finding => ({
    ...finding,
    message: `${host}: ${finding.message}`,
  })
  const diagnose = async (connection: Connection): Promise<Diagnosis> => {
    const { version, ...status } = decodeStatus(await connection.call<RpcStatus>('status', {}))
    const comet = version ? `CometBFT ${version}` : 'CometBFT of an unknown version'
    const found = [ok(`${host} is the RPC of a node with ${comet}`)]
    if (expected) found.push(...(await findMisfits(connection, status, expected)).map(named))
    const findings = inArea('address', found)
    if (findings.some(({ level }) => level === 'problem')) return { findings }
    const facts = await readFacts(connection, status, searches)
    for (const { fact, sentence } of [...ROWS, ...(searches ? SEARCHED : [])]) {
      const said = inArea(fact, sentence(facts))
      findings.push(...(expected ? said.map(named) : said))
    }
    return { findings, facts }
  }
  try {
    return await withConnection({ ...options, searches }, diagnose)
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return { findings: inArea('address', named(describeFailure(error))) }
  }
}
