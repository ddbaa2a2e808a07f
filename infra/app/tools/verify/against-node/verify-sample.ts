// Compares a sample of heights with the chain: half of the sample has governance events, half is of all heights.

import type { ChainNode } from '../../../../../ingest/comet/node.ts'
import { decodeEvent, markerIn } from '../../../../../ingest/contract/codec.ts'
import { createSchemaSource } from '../../../../../ingest/schema/schema-source.ts'
import { createTallyRules, withTallyRules } from '../../../../../ingest/tally-rules/find-rule.ts'
import type { EventLog } from '../../../../base/log/event-log.ts'
import { recordsBetween } from '../../../../base/log/records-between.ts'
import { abortedError } from '../../../../base/runtime/abort.ts'
import { systemClock } from '../../../../base/runtime/clock.ts'
import type { Logger } from '../../../../base/runtime/logger.ts'
import type { CheckedHeight } from '../check-heights.ts'
import { createSample, shuffle } from '../sample.ts'
import type { Violation } from '../violation.ts'
import type { Logged } from './compare-facts.ts'
import { compareHeight, type LoggedHeight } from './compare-height.ts'
import { type Compared, createFindings, type NotCompared } from './findings.ts'

type SampledHeight = Pick<CheckedHeight, 'firstOffset'> & { height: number }

export type HeightSample = {
  offer(height: CheckedHeight): void
  /** In order, each once. */
  heights(): SampledHeight[]
}

export const createHeightSample = (size: number, seed: string): HeightSample => {
  const eventful = createSample<SampledHeight>(Math.ceil(size / 2), `${seed}/eventful`)
  const any = createSample<SampledHeight>(size, `${seed}/any`)
  return {
    offer: ({ marker, firstOffset, events }) => {
      const sampled = { firstOffset, height: marker.height }
      if (events > 0) eventful.offer(sampled)
      any.offer(sampled)
    },
    heights: () => {
      const chosen = new Map(eventful.items().map((sampled) => [sampled.height, sampled]))
      for (const sampled of shuffle(any.items(), ({ height }) => height, seed)) {
        if (chosen.size < size) chosen.set(sampled.height, sampled)
      }
      return [...chosen.values()].sort((one, other) => one.height - other.height)
    },
  }
}

const readHeight = async (
  log: EventLog,
  { firstOffset }: SampledHeight,
  signal: AbortSignal,
): Promise<LoggedHeight | undefined> => {
  const events: Logged[] = []
  for await (const batch of recordsBetween(log, { from: firstOffset, signal })) {
    for (const { offset, value } of batch) {
      const decoded = decodeEvent(value)
      // The verification of the log reports it.
      if (!decoded.ok) continue
      const marker = markerIn(decoded)
      if (marker) return { marker: { offset, event: marker }, events }
      events.push({ offset, event: decoded.event })
    }
  }
  return undefined
}

export type VerifySampleOptions = {
  log: EventLog
  node: Pick<ChainNode, 'block' | 'abciQuery'>
  logger: Logger
  sample: HeightSample
  seed: string
  signal: AbortSignal
  onProgress(done: number, total: number): void
}

export type VerifiedSample = {
  seed: string
  heights: number[]
  compared: Compared
  notCompared: NotCompared[]
  violations: Violation[]
  violationCount: number
}

/** Throws `RPC_UNAVAILABLE` if no endpoint responds within the retry budget. */
export const verifySample = async (options: VerifySampleOptions): Promise<VerifiedSample> => {
  const { log, logger, seed, signal, onProgress } = options
  const rules = createTallyRules({
    node: options.node,
    upstream: options.node,
    setting: 'auto',
    clock: systemClock,
    logger,
  })
  const node = withTallyRules(options.node, rules)
  const schemas = createSchemaSource({ node, logger, clock: systemClock })
  const findings = createFindings()
  const sampledHeights = options.sample.heights()
  for (const [done, sampled] of sampledHeights.entries()) {
    if (signal.aborted) throw abortedError(signal)
    const height = await readHeight(log, sampled, signal)
    if (height) await compareHeight(height, { node, schemas, seed, findings })
    onProgress(done + 1, sampledHeights.length)
  }
  const { list, count } = findings.violations()
  return {
    seed,
    heights: sampledHeights.map(({ height }) => height),
    compared: findings.compared,
    notCompared: findings.notCompared(),
    violations: list,
    violationCount: count,
  }
}
