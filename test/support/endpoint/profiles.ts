// The kinds of public endpoints that people have, as gateways in front of simulated nodes of one chain.

import { type Gateway, type GatewayManners, startGateway } from '../simulator/nodes/gateway.ts'
import type { NodeWindow } from '../simulator/nodes/node.ts'
import { createResponder } from '../simulator/nodes/node.ts'
import type { ServedChain } from '../simulator/rpc/served-chain.ts'

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

export const ENDPOINT_PROFILES = {
  'keep100-unlimited': { nodes: [KEEPS_100] },
  'keep100-20rps': { nodes: [KEEPS_100], manners: TWENTY_PER_SECOND },
  'archive-20rps': { nodes: [{}], manners: TWENTY_PER_SECOND },
  balanced: { nodes: [KEEPS_100, { ...KEEPS_250, behind: 1 }, { behind: 2 }] },
  'cdn-user-agent': { nodes: [{}], manners: { ...CDN, needsUserAgent: true } },
  cdn: { nodes: [{}], manners: CDN },
} as const satisfies Record<string, EndpointProfile>

export type EndpointProfileName = keyof typeof ENDPOINT_PROFILES

/** One URL. The caller closes it. */
export const startEndpoint = (name: EndpointProfileName, chain: ServedChain): Promise<Gateway> => {
  const { nodes, manners }: EndpointProfile = ENDPOINT_PROFILES[name]
  const responders = nodes.map((window) => createResponder({ chain, window }))
  return startGateway(responders, { latencyMs: LATENCY_MS, ...manners })
}
