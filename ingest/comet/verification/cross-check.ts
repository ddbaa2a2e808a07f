// Compares block results between endpoints. No hash that a light client can check covers them. So a block is accepted only if a second
// endpoint reports the same governance facts, or none like the first one: an endpoint may lack the events of its blocks.
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import type { Block, HeightRange } from '../blocks/block.ts'
import type { BlockFetcher } from '../blocks/fetch-block.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { NodeMetrics } from '../endpoints/endpoint-health.ts'
import type { BlockOptions } from '../endpoints/node.ts'
import {
  askOne,
  candidatesFor,
  isDown,
  RANGE,
  type Ring,
  WITNESS_GRACE_MS,
} from '../endpoints/ring.ts'
import type { Reservation } from '../transport/memory-budget.ts'

/** The governance facts of a block as one text; empty for a block without any. */
export type Fingerprint = (block: Block) => string

export type CrossCheckOptions = {
  endpoints: readonly Endpoint[]
  fingerprint: Fingerprint
  fetch: BlockFetcher
  /** Does not wait for an endpoint that is further behind the height than this. */
  toleranceBlocks: number
  ring: Pick<Ring, 'read'>
  logger: Logger
  metrics: NodeMetrics
  signal: AbortSignal
}

/** The report of one endpoint about a height. */
export type Report = { endpoint: Endpoint; block: Block }
type Opinion = Report & { mark: string }

const DISCARDED = 'it discards the results of blocks'
/** A witness has this long for one request, whatever it sends meanwhile. */
const WITNESS_MS = 30_000

const formatNames = (opinions: readonly Opinion[]): string =>
  opinions.map(({ endpoint }) => endpoint.name).join(' and ')

/**
 * Blocks with different hashes belong to different histories, even if their facts are equal. Without facts, the links between blocks
 * decide about the history.
 */
const toKey = ({ hash, time }: Block, mark: string): string =>
  mark === '' ? '' : `${hash} ${time} ${mark}`

/** Endpoints with the same report, in the order of the requests. */
const groupOpinions = (opinions: readonly Opinion[]): Opinion[][] => {
  const groups = new Map<string, Opinion[]>()
  for (const opinion of opinions) {
    const { block, mark } = opinion
    const key = toKey(block, mark)
    groups.set(key, [...(groups.get(key) ?? []), opinion])
  }
  return [...groups.values()].sort((one, other) => other.length - one.length)
}

/** At least two endpoints that agree, and more than agree on any other report. */
const findMajority = ([first = [], second = []]: readonly Opinion[][]): Opinion[] | undefined =>
  first.length >= 2 && first.length > second.length ? first : undefined

const disagree = (message: string): AppError =>
  new AppError('RPC_DISAGREEMENT', message, { retryable: true })

const disagreement = (height: number, groups: readonly Opinion[][]): AppError =>
  disagree(
    `the endpoints disagree about the governance events of height ${height}: ` +
      groups.map(formatNames).join(' against '),
  )

/** The request for a block; the response of every endpoint must match `validatorsHash`. */
type Question = Pick<BlockOptions, 'validatorsHash' | 'memory' | 'isPast'> & {
  height: number
  /** Waits for an endpoint that failed shortly before. */
  isPatient: boolean
}

/** Repeats the question as long as the endpoint is likely to answer soon. */
const askWitness = (
  endpoint: Endpoint,
  { isPatient, ...question }: Question,
  { fetch, ring, signal }: CrossCheckOptions,
): Promise<Block> => {
  const need = { kept: 'block', height: question.height, withinMs: WITNESS_MS, signal } as const
  const isLikely = !endpoint.isGivenUp() && (isPatient || !endpoint.isCooling())
  const patience = {
    endpoints: [endpoint],
    budgetMs: isLikely ? WITNESS_GRACE_MS : 0,
    isSilent: true,
  }
  return ring.read({ ...need, ...patience }, (each) => fetch.one(each, question))
}

const unlessAborted = (error: unknown): undefined => {
  if (hasCode(error, 'ABORTED')) throw error
}

/** Endpoints that are likely to answer: skips those that are down, or far behind the height. */
const findWitnesses = (
  { endpoints, toleranceBlocks }: CrossCheckOptions,
  height: number,
): Endpoint[] =>
  endpoints.filter((each) => {
    const { isOfAnotherChain, tip } = each.known
    return !(isOfAnotherChain || isDown(each) || (tip > 0 && tip < height - toleranceBlocks))
  })

/** All other hosts during a disagreement; otherwise the first host that answers. */
const gather = async (first: Opinion, question: Question, options: CrossCheckOptions) => {
  const { height } = question
  const { fingerprint } = options
  const opinions = [first]
  const failures: string[] = []
  const hosts = new Set([first.endpoint.host])
  for (const endpoint of findWitnesses(options, height)) {
    if (hosts.has(endpoint.host)) continue
    const { discardsResults } = endpoint.known
    if (discardsResults || endpoint.windows.block.lacks(height)) {
      const reason = discardsResults ? DISCARDED : 'the height is pruned'
      failures.push(`${endpoint.name}: ${reason}`)
      continue
    }
    try {
      const block = await askWitness(endpoint, question, options)
      opinions.push({ endpoint, block, mark: fingerprint(block) })
    } catch (error) {
      if (hasCode(error, 'ABORTED')) throw error
      failures.push(`${endpoint.name}: ${(error as AppError).message}`)
      continue
    }
    hosts.add(endpoint.host)
    if (groupOpinions(opinions).length === 1) break
  }
  return { opinions, failures }
}

export class CrossCheck {
  readonly #options: CrossCheckOptions
  readonly #disagreements = new Map<number, AppError>()
  readonly #warnings: ReturnType<typeof getRepeatedWarnings>
  readonly #hosts: number

  constructor(options: CrossCheckOptions) {
    this.#options = options
    this.#warnings = getRepeatedWarnings(options.logger)
    this.#hosts = new Set(options.endpoints.map(({ host }) => host)).size
  }

  /**
   * Returns the accepted report: the given one, or the one of the majority. Throws a retryable `RPC_DISAGREEMENT` without a
   * majority. If no other endpoint can answer, the block is accepted, unless endpoints disagreed about its height before.
   * `previousHash`, if known, is the required hash of the block before.
   */
  async check(report: Report, request: BlockOptions): Promise<Report> {
    if (this.#hosts < 2) return report
    const { previousHash, validatorsHash, memory, isPast = false } = request
    const { fingerprint, metrics } = this.#options
    const { height } = report.block
    const earlierError = this.#disagreements.get(height)
    const mark = fingerprint(report.block)
    const question = {
      height,
      isPast,
      isPatient: mark !== '' || earlierError !== undefined,
      ...(validatorsHash === undefined ? {} : { validatorsHash }),
      ...(memory ? { memory } : {}),
    }
    const { opinions, failures } = await gather({ ...report, mark }, question, this.#options)
    if (opinions.length === 1) {
      if (earlierError !== undefined) return this.#refuse(height, earlierError)
      return mark === '' ? report : this.#acceptUnchecked(report, failures)
    }
    const groups = groupOpinions(opinions)
    if (groups.length > 1) metrics.crossChecks.inc({ outcome: 'different' })
    const majority = findMajority(groups)
    if (!majority) return this.#refuse(height, disagreement(height, groups))
    const { block, endpoint } = majority[0]!
    if (previousHash !== undefined && block.previousHash !== previousHash) {
      const message = `most endpoints have another history before height ${height}`
      return this.#refuse(height, disagree(message))
    }
    if (groups.length > 1) this.#overrule(majority, groups)
    else if (mark !== '') metrics.crossChecks.inc({ outcome: 'same' })
    this.#disagreements.delete(height)
    return { block, endpoint }
  }

  /** Checks a range with one other endpoint at the same time; a height with another report is checked alone. */
  async checkRange(
    { endpoint, blocks: read }: { endpoint: Endpoint; blocks: Promise<Block[]> },
    range: HeightRange & {
      memory: Reservation
      isPast: boolean
      signal?: AbortSignal | undefined
    },
  ): Promise<Report[]> {
    if (this.#hosts < 2) return (await read).map((block) => ({ endpoint, block }))
    const { fetch } = this.#options
    const { signal } = range
    const witness = this.#findWitness(endpoint, range)
    const need = { ...RANGE, height: range.to, withinMs: WITNESS_MS, signal } as const
    const ask = (each: Endpoint) => fetch.range(each, range)
    const asked = witness && askOne(witness, need, ask).catch(unlessAborted)
    const [blocks, seconds] = await Promise.all([read, asked])
    return await Promise.all(
      blocks.map((block, at) => this.#compare({ endpoint, block }, seconds?.[at], range)),
    )
  }

  #findWitness(endpoint: Endpoint, { from, to }: HeightRange): Endpoint | undefined {
    const others = findWitnesses(this.#options, to).filter(({ host }) => host !== endpoint.host)
    return candidatesFor(others, { ...RANGE, height: to }).find(
      (each) => !(each.isCooling() || each.known.discardsResults || each.windows.block.lacks(from)),
    )
  }

  async #compare(
    report: Report,
    second: Block | undefined,
    { memory, isPast }: BlockOptions,
  ): Promise<Report> {
    const { block } = report
    const { fingerprint, metrics } = this.#options
    const mark = fingerprint(block)
    const isDisputed = this.#disagreements.has(block.height)
    const isSame = second && toKey(second, fingerprint(second)) === toKey(block, mark)
    if (isDisputed || !(isSame || (!second && mark === ''))) {
      return await this.check(report, { ...(memory ? { memory } : {}), isPast: isPast === true })
    }
    if (isSame && mark !== '') metrics.crossChecks.inc({ outcome: 'same' })
    return report
  }

  #refuse(height: number, error: AppError): never {
    this.#disagreements.set(height, error)
    this.#warnings.error({
      key: `disagreement at ${height}`,
      fields: { height, reason: error.message },
      message: 'endpoints disagree about governance events',
    })
    throw error
  }

  #overrule(majority: readonly Opinion[], groups: readonly Opinion[][]): void {
    const { height } = majority[0]!.block
    const outvoted = groups.flat().filter((opinion) => !majority.includes(opinion))
    const reason = `its governance events of height ${height} differ from those of ${formatNames(majority)}`
    for (const { endpoint } of outvoted) {
      this.#warnings.error({
        key: `outvoted ${endpoint.name}`,
        fields: { height, endpoint: endpoint.name, reason },
        message: 'endpoint contradicts the majority',
      })
      endpoint.note(disagree(reason))
    }
  }

  #acceptUnchecked(report: Report, failures: readonly string[]): Report {
    const { endpoint, block } = report
    this.#options.metrics.crossChecks.inc({ outcome: 'unchecked' })
    this.#warnings.warn({
      key: 'not cross-checked',
      fields: { height: block.height, endpoint: endpoint.name, reason: failures.join('; ') },
      message: 'governance events were not cross-checked',
    })
    return report
  }
}
