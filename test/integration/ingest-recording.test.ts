// Tests of ingest of the recorded real chain over HTTP, compared with the state of the chain.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DemoNode } from '../../infra/app/demo/demo-node.ts'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { isKnown } from '../../ingest/chain/answer.ts'
import { openProposalsAt, proposalsAt, votesAt } from '../../ingest/chain/gov.ts'
import { delegationsAt } from '../../ingest/chain/staking.ts'
import type { ChainNode } from '../../ingest/comet/endpoints/node.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import { startIngest } from '../../ingest/main.ts'
import { decide } from '../../ingest/tally/decision.ts'
import { tally } from '../../ingest/tally/tally.ts'
import { ingestConfig, ofType, readEvents } from '../support/chain/ingest-run.ts'
import { startTestNode } from '../support/chain/test-recording.ts'
import { finalReadings, restoreVote } from '../support/chain/vote-run.ts'
import { toTallyPools } from '../support/fold/tally-cases.ts'
import { type LogLine, recordingLogger, silentLogger } from '../support/process/log-lines.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

let replay: DemoNode
let node: ChainNode
let events: GovernanceEvent[]
let tip: number
let lines: readonly LogLine[]
const tidy: (() => Promise<unknown> | unknown)[] = []

/** Ingests up to `stopAt`, then closes like a shutdown. */
const ingestUpTo = async (
  path: string,
  stopAt: number,
  { logger = silentLogger(), env = {} }: { logger?: Logger; env?: Record<string, string> } = {},
): Promise<GovernanceEvent[]> => {
  const log = await openEmbeddedLog({ path })
  const ingest = await startIngest({
    config: ingestConfig({ CHAIN_RPC_URLS: replay.url, ...env }, { maxBatchHeights: 50 }),
    log,
    logger,
    metrics: createMetrics('ingest'),
  })
  let fault: unknown
  ingest.done.catch((error: unknown) => {
    fault = error
  })
  while (fault === undefined && ((await log.last())?.height ?? 0) < stopAt) {
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await ingest.close()
  const read = await readEvents(log)
  await log.close()
  if (fault !== undefined) throw fault
  return read
}

const value = <Value>(answer: { value: Value } | { unavailable: string }): Value => {
  if (!isKnown(answer)) throw new Error(answer.unavailable)
  return answer.value
}

beforeAll(async () => {
  replay = await startTestNode({ preload: Number.MAX_SAFE_INTEGER })
  tidy.push(() => replay.close())
  tip = replay.height()
  node = await createChainNode({
    urls: [replay.url],
    logger: silentLogger(),
    metrics: createMetrics('test'),
  })
  tidy.push(() => node.close())
  const directory = createTemporaryDirectory('ingest')
  tidy.push(() => directory.remove())
  const recording = recordingLogger()
  lines = recording.lines
  events = await ingestUpTo(directory.path, tip, { logger: recording.logger })
})
afterAll(async () => {
  for (const undo of tidy.toReversed()) await undo()
})

type Ended = EventOf<'rollcall.proposal.closed.v1' | 'rollcall.voting.restarted.v1'>

/** Every round with a tally. */
const endsIn = (all: readonly GovernanceEvent[]): Ended[] =>
  [
    ...ofType(all, 'rollcall.proposal.closed.v1'),
    ...ofType(all, 'rollcall.voting.restarted.v1'),
  ].filter(({ data }) => data.round > 0)

const findFinal = ({ height, index, data }: Ended, all: readonly GovernanceEvent[] = events) =>
  finalReadings(all).filter(
    (event) =>
      event.height === height && event.index > index && event.data.proposalId === data.proposalId,
  )

const computeTally = (chunks: ReturnType<typeof findFinal>) =>
  tally(
    toTallyPools(chunks.flatMap(({ data }) => data.pools)),
    chunks
      .flatMap(({ data }) => data.ballots)
      .map(({ voter, options, delegations }) => ({
        voter,
        options: options ?? [],
        delegations: delegations ?? [],
      })),
  )

const openVotes = async (): Promise<string[]> =>
  value(await openProposalsAt(node, tip)).flatMap(({ proposal }) =>
    proposal.status === 'voting_period' ? [proposal.proposalId] : [],
  )

describe('ingest of the recorded chain', () => {
  it('understands every governance event of it and misses no state', () => {
    expect(ofType(events, 'rollcall.abci-event.undecodable.v1')).toEqual([])
    // Submitted and canceled in one block: no state ever had it, only its transaction.
    const fleeting = (event: GovernanceEvent) =>
      ofType(events, 'rollcall.proposal.canceled.v1').some(
        ({ height, subject }) => height === event.height && subject === event.subject,
      )
    const reasons = events
      .filter((event) => !fleeting(event))
      .flatMap(({ data }) =>
        Object.entries(data).filter(([key, each]) => key.endsWith('Reason') && each !== null),
      )
    expect(reasons).toEqual([])
  })

  it('has every vote on open proposals, by voter, with its latest options', {
    tags: 'ingest:every-vote-counts',
  }, async () => {
    const open = await openVotes()
    expect(open.length).toBeGreaterThan(0)
    for (const id of open) {
      const latest = new Map<string, unknown>()
      for (const { type, data } of events) {
        if (type === 'rollcall.voting.restarted.v1' && data.proposalId === id) latest.clear()
        if (type === 'rollcall.vote.cast.v1' && data.proposalId === id && data.voter) {
          latest.set(data.voter, data.options)
        }
      }
      const chain = value(await votesAt(node, { proposalId: id, height: tip }))
      expect(Object.fromEntries(latest)).toEqual(
        Object.fromEntries(chain.map(({ voter, options }) => [voter, options])),
      )
    }
  })

  it('has the current delegations of every voter on open proposals', async () => {
    const open = await openVotes()
    const ballots = open.flatMap((id) => [...restoreVote(events, id).ballots.values()])
    expect(ballots.length).toBeGreaterThan(0)
    for (const { voter, delegations } of ballots) {
      expect([voter, delegations]).toEqual([voter, value(await delegationsAt(node, voter, tip))])
    }
  })

  it('has a reading of every voting end that gives the final tally of the chain', {
    tags: 'ingest:every-vote-counts',
  }, async () => {
    const { proposals } = value(await proposalsAt(node, tip))
    for (const { data } of ofType(events, 'rollcall.proposal.closed.v1')) {
      const kept = proposals.find(({ proposal }) => proposal.proposalId === data.proposalId)
      expect(data.finalTally).toEqual(kept?.proposal.finalTally)
    }
    const ends = endsIn(events)
    expect(ends.length).toBeGreaterThanOrEqual(12)
    expect(ends.some(({ type }) => type === 'rollcall.voting.restarted.v1')).toBe(true)
    for (const end of ends) {
      const chunks = findFinal(end)
      expect(chunks.map(({ data }) => [data.chunk, data.chunks])).toEqual(
        chunks.map((_, chunk) => [chunk, chunks.length]),
      )
      expect(chunks[0]?.data).toMatchObject({ complete: true, incompleteReason: null })
      const { counts } = computeTally(chunks)
      expect([end.data.proposalId, end.data.round, counts]).toEqual([
        end.data.proposalId,
        end.data.round,
        end.data.finalTally,
      ])
    }
  })

  it('has the same decision as the chain for every voting end', () => {
    for (const end of endsIn(events)) {
      const { proposalId, proposal } = end.data
      const { params, bondedTokens } = findFinal(end)[0]!.data
      const isRestart = end.type === 'rollcall.voting.restarted.v1'
      const decision = decide(computeTally(findFinal(end)), {
        params: params!,
        bondedTokens: bondedTokens!,
        expedited: isRestart || proposal!.expedited,
      })
      // A failed proposal had passed: one of its messages failed.
      const passed = !isRestart && ['passed', 'failed'].includes(end.data.outcome)
      expect([proposalId, decision.passes]).toEqual([proposalId, passed])
    }
  })

  it('never read a tally again, and raised no alert', () => {
    expect(lines.some(({ msg }) => msg === 'took a snapshot')).toBe(true)
    expect(lines.filter(({ msg }) => /tally/.test(msg))).toEqual([])
  })

  it('has such readings if the log starts during votes', async () => {
    const directory = createTemporaryDirectory('ingest')
    tidy.push(() => directory.remove())
    const late = await ingestUpTo(directory.path, tip, { env: { START_HEIGHT: '200' } })
    const ends = endsIn(late)
    expect(ends.length).toBeGreaterThanOrEqual(8)
    for (const end of ends) {
      const chunks = findFinal(end, late)
      expect(chunks[0]?.data.complete).toBe(true)
      expect(computeTally(chunks).counts).toEqual(end.data.finalTally)
    }
  })
})
