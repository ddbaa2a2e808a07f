// Tests how an endpoint counts its failures.
import { expect, it } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createEndpoint } from '../../../../../ingest/comet/endpoints/endpoint.ts'
import {
  createNodeHealth,
  createNodeMetrics,
} from '../../../../../ingest/comet/endpoints/endpoint-health.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'

const timeout = () => new AppError('RPC_UNAVAILABLE', 'no response', { retryable: true })

const setup = () => {
  const clock = createFakeClock()
  const endpoint = createEndpoint({
    name: 'a node',
    host: 'node:26657',
    rpc: {
      call: () => Promise.reject(timeout()),
      ask: () => Promise.reject(timeout()),
      askAll: () => Promise.reject(timeout()),
      pace: {
        waitMs: () => 0,
        read: () => ({
          concurrent: 1,
          perSecond: null,
          granted: 0,
          refused: 0,
          pausedMs: 0,
          grantedPerSecond: 0,
          refusedShare: null,
        }),
      },
      close: () => undefined,
    },
    expectedChainId: () => undefined,
    coolDownMs: 500,
    maxCoolDownMs: 30_000,
    clock,
    logger: silentLogger(),
    metrics: createNodeMetrics(createMetrics('ingest')),
    health: createNodeHealth(),
    signal: new AbortController().signal,
  })
  return { endpoint, clock }
}

it('counts calls that fail together as one failure', () => {
  const { endpoint, clock } = setup()
  for (let call = 0; call < 20; call++) endpoint.note(timeout())
  expect(endpoint.known.failures).toBe(1)
  expect(endpoint.isGivenUp()).toBe(false)
  clock.advance(500)
  expect(endpoint.isCooling()).toBe(false)
})

it('cools down for twice as long after each failure, and is given up after the third', () => {
  const { endpoint, clock } = setup()
  for (const coolDownMs of [500, 1_000, 2_000]) {
    expect(endpoint.isGivenUp()).toBe(false)
    endpoint.note(timeout())
    clock.advance(coolDownMs - 1)
    expect(endpoint.isCooling()).toBe(true)
    clock.advance(1)
    expect(endpoint.isCooling()).toBe(false)
  }
  expect(endpoint.isGivenUp()).toBe(true)
  endpoint.succeeded()
  expect(endpoint.isGivenUp()).toBe(false)
})
