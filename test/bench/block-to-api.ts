// Runs the whole path with one process per service, on the embedded log or on Kafka.
// It measures from the release of a height by the node until the api serves the facts of that height.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createWalkingAgent, type WalkingAgent } from './agent.ts'
import { startBenchChild } from './child.ts'
import { startClickHouse } from './clickhouse.ts'
import { computeSpread, type Spread } from './measure.ts'
import type { BenchContext } from './measurement.ts'

const LIVE_BLOCKS = 300
const BLOCK_MS = 150
export const POLL_MS = 3
const CATCH_UP_MS = 120_000
const FACT_DEADLINE_MS = 10_000

type List = {
  items: { proposalId: string; updatedAt: { height: number } }[]
  asOf: { height: number }
}
type Release = { height: number; atMs: number }
type Fact = { height: number; proposalId: string }

const nowMs = (): number => performance.timeOrigin + performance.now()

const until = async (isTrue: () => Promise<boolean>, deadlineMs: number): Promise<void> => {
  const giveUpMs = performance.now() + deadlineMs
  while (!(await isTrue())) {
    if (performance.now() > giveUpMs) throw new Error(`waited for ${deadlineMs} ms without result`)
    await pause(20)
  }
}

type Sighting = { height: number; atMs: number }

/** Polls the list and records when each proposal and the whole list changed. */
const createWatch = (agent: WalkingAgent, url: string) => {
  const ofProposal = new Map<string, Sighting[]>()
  const ofList: Sighting[] = []
  const note = (sightings: Sighting[], height: number, atMs: number): void => {
    if (height > (sightings.at(-1)?.height ?? 0)) sightings.push({ height, atMs })
  }
  const poll = async (): Promise<void> => {
    const { items, asOf } = await agent.json<List>(`${url}/api/proposals`)
    const atMs = nowMs()
    note(ofList, asOf.height, atMs)
    for (const { proposalId, updatedAt } of items) {
      const known = ofProposal.get(proposalId) ?? []
      ofProposal.set(proposalId, known)
      note(known, updatedAt.height, atMs)
    }
  }
  const firstAtMs = (sightings: readonly Sighting[], height: number): number | undefined =>
    sightings.find((sighting) => sighting.height >= height)?.atMs
  return {
    poll,
    seenListAtMs: (height: number) => firstAtMs(ofList, height),
    seenFactAtMs: ({ proposalId, height }: Fact) =>
      firstAtMs(ofProposal.get(proposalId) ?? [], height),
    listHeight: () => ofList.at(-1)?.height ?? 0,
  }
}

const startAll = async ({ scope }: BenchContext, kafkaBrokers: string | undefined) => {
  const { access } = await startClickHouse(scope)
  const replay = startBenchChild(scope, 'replay')
  const probe = await replay.ask<{ tip: number; url: string }>('start', {
    liveBlocks: LIVE_BLOCKS,
    blockMs: BLOCK_MS,
  })
  const writer = startBenchChild(scope, 'writer')
  const logPath = join(scope.directory('latency'), 'log')
  await writer.ask('start', { access, url: probe.url, logPath, kafkaBrokers })
  const api = startBenchChild(scope, 'api')
  const apiUrl = (await api.ask<{ url: string }>('start', { access })).url
  return { replay, writer, apiUrl, firstTip: probe.tip }
}

const computeLatencies = (
  watch: ReturnType<typeof createWatch>,
  { releases, facts }: { releases: readonly Release[]; facts: readonly Fact[] },
) => {
  const releasedAtMs = new Map(releases.map(({ height, atMs }) => [height, atMs]))
  const ofFacts: number[] = []
  let unseen = 0
  for (const fact of facts) {
    const fromMs = releasedAtMs.get(fact.height)
    if (fromMs === undefined) continue
    const toMs = watch.seenFactAtMs(fact)
    if (toMs === undefined) unseen++
    else ofFacts.push(toMs - fromMs)
  }
  const ofHeights = releases.flatMap(({ height, atMs }) => {
    const seenAtMs = watch.seenListAtMs(height)
    return seenAtMs === undefined ? [] : [seenAtMs - atMs]
  })
  return { ofFacts, ofHeights, unseen }
}

export type BlockToApi = {
  /** Milliseconds, one value per fact and one per height. */
  ofFacts: number[]
  ofHeights: number[]
  unseen: number
  /** The block interval of the chain. */
  interval: Spread
}

/** Uses Kafka if brokers are given, else the embedded log. */
export const blockToApi = async (
  context: BenchContext,
  kafkaBrokers?: string,
): Promise<BlockToApi> => {
  const { scope, log } = context
  const { replay, writer, apiUrl, firstTip } = await startAll(context, kafkaBrokers)
  const agent = createWalkingAgent()
  scope.onEnd(agent.close)
  const watch = createWatch(agent, apiUrl)
  const projected = () => writer.ask<number>('projectedHeight')
  await until(async () => (await projected()) >= firstTip, CATCH_UP_MS)
  await replay.ask('release')
  log(`${LIVE_BLOCKS} blocks, one every ${BLOCK_MS} ms, from height ${firstTip + 1} on`)
  const lastHeight = firstTip + LIVE_BLOCKS
  const giveUpMs = performance.now() + LIVE_BLOCKS * BLOCK_MS * 2 + FACT_DEADLINE_MS
  while (watch.listHeight() < lastHeight && performance.now() < giveUpMs) {
    await watch.poll()
    await pause(POLL_MS)
  }
  const releases = await replay.ask<Release[]>('releases')
  const facts = await writer.ask<Fact[]>('factsAfter', { height: firstTip })
  const gaps = releases.slice(1).map(({ atMs }, index) => atMs - releases[index]!.atMs)
  return { ...computeLatencies(watch, { releases, facts }), interval: computeSpread(gaps) }
}
