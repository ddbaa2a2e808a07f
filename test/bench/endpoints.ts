// Starts the product with default settings on public endpoints of several kinds, in front of a live chain.
// The figure is the number of requests per height; the baseline is the number of different reads among them.
// The notes have what a visitor gets: when, how exact, and how far behind.
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePorts } from '../devnet/ports.ts'
import { BLOCK_MS, createLiveVotes, type LiveVotes } from '../support/endpoint/live-votes.ts'
import {
  type Gateway,
  type GatewayManners,
  startGateway,
} from '../support/simulator/nodes/gateway.ts'
import { createResponder, type NodeWindow } from '../support/simulator/nodes/node.ts'
import {
  computeTrafficBetween,
  sumCounts,
  type Traffic,
} from '../support/simulator/nodes/traffic.ts'
import type { ServedChain } from '../support/simulator/rpc/served-chain.ts'
import { type Sample, sampleProduct } from './endpoint-watch.ts'
import { type BenchContext, compareFigures, type Measurement } from './measure.ts'
import { startMachine } from './processes.ts'
import type { Scope } from './scope.ts'

type EndpointProfile = { nodes: readonly NodeWindow[]; manners?: GatewayManners }

const LATENCY_MS = 15

/** As the default pruning interval of the Cosmos SDK. */
const PRUNES_EVERY = 10
const KEEPS_100: NodeWindow = { states: 100, prunesEvery: PRUNES_EVERY }
const KEEPS_250: NodeWindow = { states: 250, prunesEvery: PRUNES_EVERY }

const TWENTY_PER_SECOND: GatewayManners = {
  rate: { perSecond: 20, burst: 20, retryAfterSeconds: 1 },
}

const CDN: GatewayManners = {
  rate: { perSecond: 50, burst: 50, retryAfterSeconds: 2 },
  bursts: { requests: 25, withinMs: 250, punishedMs: 4_000 },
  compresses: true,
  cutsOneOf: 100,
}

const ENDPOINT_PROFILES = {
  'keep100-unlimited': { nodes: [KEEPS_100] },
  'keep100-20rps': { nodes: [KEEPS_100], manners: TWENTY_PER_SECOND },
  'archive-20rps': { nodes: [{}], manners: TWENTY_PER_SECOND },
  balanced: { nodes: [KEEPS_100, { ...KEEPS_250, behind: 1 }, { behind: 2 }] },
  'cdn-user-agent': { nodes: [{}], manners: { ...CDN, needsUserAgent: true } },
  cdn: { nodes: [{}], manners: CDN },
} as const satisfies Record<string, EndpointProfile>

type EndpointProfileName = keyof typeof ENDPOINT_PROFILES

/** One URL. The caller closes it. */
const startEndpoint = (name: EndpointProfileName, chain: ServedChain): Promise<Gateway> => {
  const { nodes, manners }: EndpointProfile = ENDPOINT_PROFILES[name]
  const responders = nodes.map((window) => createResponder({ chain, window }))
  return startGateway(responders, { latencyMs: LATENCY_MS, ...manners })
}

const WARM_SECONDS = 60
const WATCHED_SECONDS = 150
/** Votes end after the watch, so that quiet heights are measured alone. */
const QUIET_SECONDS = 20
const SETTLE_SECONDS = 5

type Period = { traffic: Traffic; heights: number }

type Measured = {
  samples: readonly Sample[]
  whole: Traffic
  /** After the first minute. */
  atTip: Period
  quiet: Period
}

/** Adds a block at each full second until the scope ends. */
const startBlocks = (scope: Scope, live: LiveVotes) => {
  const phase = { votes: true }
  const addDue = () => {
    const next = Date.parse(live.chain.block(live.chain.tip).time) + BLOCK_MS
    if (Date.now() >= next) live.add(phase)
  }
  const timer = setInterval(addDue, BLOCK_MS / 20)
  scope.onEnd(() => clearInterval(timer))
  const endVotes = () => {
    phase.votes = false
  }
  return { endVotes }
}

const startProduct = async (scope: Scope, gateway: Gateway) => {
  const [operatorsPort = 0, port = 0] = await findFreePorts(2)
  const ports = { PORT: `${port}`, OPERATORS_PORT: `${operatorsPort}` }
  startMachine(scope, { CHAIN_RPC_URLS: gateway.url, ...ports })
  return {
    api: `http://127.0.0.1:${port}`,
    operators: `http://127.0.0.1:${operatorsPort}`,
  }
}

const watchEndpoint = async (
  { scope, log }: BenchContext,
  name: EndpointProfileName,
): Promise<Measured> => {
  const live = createLiveVotes(Date.now())
  const blocks = startBlocks(scope, live)
  const gateway = await startEndpoint(name, live.chain)
  scope.onEnd(gateway.close)
  const firstHeight = live.chain.tip
  const startedMs = performance.now()
  const urls = await startProduct(scope, gateway)
  const mark = () => ({ traffic: gateway.traffic(), height: live.chain.tip })
  const since = (from: ReturnType<typeof mark>): Period => {
    const to = mark()
    return {
      traffic: computeTrafficBetween(from.traffic, to.traffic),
      heights: to.height - from.height,
    }
  }
  const sampleUntil = (untilSeconds: number) =>
    sampleProduct(live, urls, { startedMs, untilSeconds })

  log(`${name}: from height ${firstHeight} on, for ${WATCHED_SECONDS} s`)
  const first = await sampleUntil(WARM_SECONDS)
  const warm = mark()
  const samples = [...first, ...(await sampleUntil(WATCHED_SECONDS))]
  const atTip = since(warm)
  const whole = gateway.traffic()
  blocks.endVotes()
  await pause(SETTLE_SECONDS * 1_000)
  const still = mark()
  await pause(QUIET_SECONDS * 1_000)
  return { samples, whole, atTip, quiet: since(still) }
}

const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`

const formatSeconds = (sample: Sample | undefined): string =>
  sample ? `after ${sample.seconds.toFixed(1)} s` : 'never'

const perHeight = (count: number, { heights }: Period): number => count / Math.max(heights, 1)

const describePages = (samples: readonly Sample[]): string[] => {
  const exact = samples.find(({ isExact }) => isExact)
  const later = exact ? samples.slice(samples.indexOf(exact)) : []
  const stillExact = later.filter(({ isExact }) => isExact).length
  const last = samples.at(-1)
  return [
    `first page ${formatSeconds(samples.find(({ behind }) => behind !== null))}`,
    `all open votes listed ${formatSeconds(samples.find(({ isComplete }) => isComplete))}`,
    `exact live tallies ${formatSeconds(exact)}, then in ${formatShare(stillExact, later.length)} of ${later.length} samples`,
    `heights behind at the end: ${last?.behind ?? 'no page'}`,
    `/readyz at the end: ${last?.readiness}; 200 in ${formatShare(
      samples.filter(({ readiness }) => readiness.startsWith('200')).length,
      samples.length,
    )} of ${samples.length} samples`,
  ]
}

const describeTraffic = ({ whole, atTip, quiet }: Measured): string[] => {
  const late = sumCounts(atTip.traffic)
  const all = sumCounts(whole)
  const methods = [...whole.methods]
    .sort(([, left], [, right]) => right.granted - left.granted)
    .map(
      ([method, { granted, refused, cut }]) =>
        `${method} ${granted}${refused > 0 ? ` (${refused} refused)` : ''}${cut > 0 ? ` (${cut} cut)` : ''}`,
    )
  const status = whole.methods.get('status')?.granted ?? 0
  return [
    `refused after the first minute: ${formatShare(late.refused, late.sent)} of ${late.sent}; in all ${formatShare(all.refused, all.sent)} of ${all.sent}`,
    `sent while Retry-After forbids it: ${formatShare(whole.forbidden, all.sent)}; after the first minute ${formatShare(atTip.traffic.forbidden, late.sent)}`,
    `status: ${formatShare(status, all.granted)} of the granted requests`,
    `requests per height without votes: ${perHeight(sumCounts(quiet.traffic).sent, quiet).toFixed(1)}`,
    `by method: ${methods.join(', ')}`,
  ]
}

export const endpoints: readonly Measurement[] = (
  Object.keys(ENDPOINT_PROFILES) as EndpointProfileName[]
).map((profile) => ({
  name: `endpoints-${profile}`,
  question: `what does a visitor get if the only endpoint is ${profile}?`,
  run: async (context) => {
    const measured = await watchEndpoint(context, profile)
    const { atTip, samples } = measured
    const sent = perHeight(sumCounts(atTip.traffic).sent, atTip)
    const needed = perHeight(atTip.traffic.differentReads, atTip)
    return [
      {
        name: `endpoints-${profile}`,
        unit: 'requests per height',
        labels: {
          subject: 'requests after the first minute',
          baseline: 'different reads among them',
        },
        figures: compareFigures([sent], [needed]),
        bound: 'most',
        target: null,
        notes: [...describePages(samples), ...describeTraffic(measured)],
      },
    ]
  },
}))
