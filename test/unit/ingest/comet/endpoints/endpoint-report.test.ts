// Tests what operators see of an endpoint.
import { expect, it } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { candidatesFor } from '../../../../../ingest/comet/endpoints/ask-endpoints.ts'
import { createEndpoint } from '../../../../../ingest/comet/endpoints/endpoint.ts'
import {
  createNodeHealth,
  createNodeMetrics,
  describeRefusals,
  type EndpointReport,
  reportEndpoint,
} from '../../../../../ingest/comet/endpoints/endpoint-health.ts'
import { nodePoolDefaults } from '../../../../../ingest/comet/endpoints/pool.ts'
import { createWindow } from '../../../../../ingest/comet/endpoints/window.ts'
import type { RpcClient } from '../../../../../ingest/comet/transport/rpc.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'

const pace = {
  concurrent: 8,
  perSecond: null,
  granted: 0,
  refused: 0,
  pausedMs: 0,
  grantedPerSecond: 0,
  refusedShare: null,
}
const setup = () => {
  return {
    name: 'rpc.example.org',
    known: { tip: 0, earliest: 0 },
    windows: { block: createWindow(), state: createWindow() },
  }
}

it('is null where nothing is known yet', () => {
  expect(reportEndpoint(setup(), pace)).toEqual({
    endpoint: 'rpc.example.org',
    grantedPerSecond: 0,
    limitPerSecond: null,
    refusedShare: null,
    pauseSeconds: null,
    earliestBlock: null,
    earliestState: null,
  })
})

it('has the pace, the refusals, the pause and the first heights', () => {
  const endpoint = setup()
  Object.assign(endpoint.known, { tip: 1_000, earliest: 400 })
  endpoint.windows.state.served(910, 1_000)
  const limited = {
    ...pace,
    perSecond: 12.345,
    pausedMs: 1_234,
    grantedPerSecond: 9.96,
    refusedShare: 1 / 3,
  }
  expect(reportEndpoint(endpoint, limited)).toEqual({
    endpoint: 'rpc.example.org',
    grantedPerSecond: 10,
    limitPerSecond: 12.3,
    refusedShare: 0.3333,
    pauseSeconds: 1.2,
    earliestBlock: 400,
    earliestState: 910,
  })
})

const report = (changes: Partial<EndpointReport>): EndpointReport => ({
  ...reportEndpoint(setup(), pace),
  ...changes,
})

it('has no sentence for the few refusals that find a limit', () => {
  expect(describeRefusals(report({}))).toBeNull()
  expect(
    describeRefusals(report({ refusedShare: 0.04, limitPerSecond: 20, pauseSeconds: 1 })),
  ).toBeNull()
})

it.each([
  [
    { refusedShare: 0.39, limitPerSecond: 12.3 },
    'it refuses 39 % of the requests, is asked at most 12.3 times a second',
  ],
  [
    { refusedShare: 0.01, pauseSeconds: 26.4 },
    'it refuses 1 % of the requests, is not asked for 27 s',
  ],
])('has a sentence for refusals that slow it down: %o', (changes, text) => {
  expect(describeRefusals(report(changes))).toBe(
    `endpoint rpc.example.org limits requests: ${text}`,
  )
})

it('is asked first for what it answers fast, whatever else it answered faster once', () => {
  const shared = {
    ...nodePoolDefaults,
    rpc: { pace: { waitMs: () => 0 } } as RpcClient,
    expectedChainId: () => undefined,
    clock: createFakeClock(),
    logger: silentLogger(),
    metrics: createNodeMetrics(createMetrics('ingest')),
    health: createNodeHealth(),
    signal: new AbortController().signal,
  }
  const [slow, fast] = ['slow', 'fast'].map((name) =>
    createEndpoint({ ...shared, name, host: name }),
  )
  const need = { kept: 'state', height: 0, what: 'list' } as const
  slow!.succeeded({ ...need, what: 'rare' }, 1)
  slow!.succeeded(need, 900)
  fast!.succeeded(need, 90)
  const first = () => candidatesFor([slow!, fast!], need)[0]?.name
  expect(first()).toBe('fast')
  for (let times = 0; times < 20; times++) fast!.succeeded(need, 9_000)
  expect(first()).toBe('slow')
})
