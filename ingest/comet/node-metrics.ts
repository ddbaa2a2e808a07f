// The metrics of everything that talks to the chain's endpoints, made once per process.
import type { Metrics } from '../../infra/runtime/metrics.ts'

/** The same metrics for the same registry: whoever connects again must not register them again. */
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
    help: 'RPC calls by method and outcome: ok, or the code of the error',
    labels: ['method', 'outcome'],
  }),
  endpointHealthy: metrics.gauge({
    name: 'endpoint_healthy',
    help: '1 while the endpoint answers as it should, else 0',
    labels: ['endpoint'],
  }),
  crossChecks: metrics.counter({
    name: 'cross_checks_total',
    help:
      'Heights with governance events, by what a second endpoint reported: same, different, ' +
      'or unchecked where there was none to ask',
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
}))

export const createSourceMetrics = oncePer((metrics) => ({
  delivered: metrics.counter({
    name: 'blocks_delivered_total',
    help: 'Blocks handed on, in order',
  }),
  tip: metrics.gauge({
    name: 'tip_height',
    help: 'The highest height that the chain is known to have',
  }),
}))
