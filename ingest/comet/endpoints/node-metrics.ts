// The metrics of all connections to endpoints, created once per process.
import type { Metrics } from '../../../infra/base/runtime/metrics.ts'

/** Returns the same metrics for the same registry: a second connection must not register them again. */
const oncePer = <T>(create: (metrics: Metrics) => T): ((metrics: Metrics) => T) => {
  const made = new WeakMap<Metrics, T>()
  return (metrics) => {
    const found = made.get(metrics) ?? create(metrics)
    made.set(metrics, found)
    return found
  }
}

export const createNodeMetrics = oncePer((metrics) => ({
  requests: metrics.counter({
    name: 'rpc_requests_total',
    help:
      'Requests to endpoints by method and outcome: ok, RPC_LIMITED if the endpoint refused it because of ' +
      'its limits, or another error code',
    labels: ['endpoint', 'method', 'outcome'],
  }),
  endpointHealthy: metrics.gauge({
    name: 'endpoint_healthy',
    help: '1 while the endpoint is healthy, else 0',
    labels: ['endpoint'],
  }),
  crossChecks: metrics.counter({
    name: 'cross_checks_total',
    help:
      'Heights with governance events, by the report of a second endpoint: same, different, ' +
      'or unchecked if there was no second endpoint',
    labels: ['outcome'],
  }),
}))

export type NodeMetrics = ReturnType<typeof createNodeMetrics>

export const createWakeUpMetrics = oncePer((metrics) => ({
  reconnects: metrics.counter({
    name: 'websocket_reconnects_total',
    help: 'Websocket connections that ended and were replaced',
    labels: ['endpoint'],
  }),
  misuses: metrics.counter({
    name: 'websocket_misuses_total',
    help: 'Websocket connections that sent too much or invalid messages; each is followed by a long pause',
    labels: ['endpoint'],
  }),
}))

export const createSourceMetrics = oncePer((metrics) => ({
  delivered: metrics.counter({
    name: 'blocks_delivered_total',
    help: 'Blocks delivered, in order',
  }),
  tip: metrics.gauge({
    name: 'tip_height',
    help: 'Highest known height of the chain',
  }),
}))
