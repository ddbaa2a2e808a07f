// Tests the check of one endpoint against simulated nodes and gateways.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { diagnoseEndpoint } from '../../../../../infra/app/doctor/endpoint.ts'
import { findingsText } from '../../../../../infra/app/doctor/finding.ts'
import { createMemoryChain } from '../../../../support/chain/memory-chain.ts'
import { readState, showChain } from '../../../../support/chain/shown-chain.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'
import { type NodeOptions, startNode } from '../../../../support/simulator/nodes/node.ts'
import { proposalAt } from '../../../../support/simulator/state/chain-state.ts'

const { signal } = new AbortController()
const HEIGHTS = 400

const chain = createMemoryChain({ proves: true })
chain.add({}, ({ proposals }) => {
  for (const id of ['1', '2']) proposals.set(id, proposalAt(id, 1, 2))
  proposals.set('3', proposalAt('3', 1, 3))
})
while (chain.tip < HEIGHTS) chain.add()

const startOne = async (options: Partial<NodeOptions> = {}) => {
  const node = await startNode({
    chain: showChain(chain, HEIGHTS),
    abci: (request) => readState(chain, request),
    ...options,
  })
  onTestFinished(node.close)
  return node
}

type SentHeaders = http.IncomingHttpHeaders

/** Forwards calls, except those that `refuse` answers. */
const startGateway = async (
  target: string,
  refuse: (method: string, response: http.ServerResponse, headers: SentHeaders) => boolean,
): Promise<string> => {
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const { method } = JSON.parse(body) as { method: string }
    if (refuse(method, response, request.headers)) return
    const answer = await fetch(target, { method: 'POST', body })
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const diagnose = async (address: string, headers?: Record<string, string>) => {
  const clock = createFakeClock({ startMs: Date.now() })
  return findingsText((await diagnoseEndpoint({ address, headers, signal, clock })).findings)
}

describe('the check of an endpoint', () => {
  it('finds every fact of an archive', async () => {
    const node = await startOne()
    const text = await diagnose(`${node.url}/secret-path`)
    expect(text).toMatch(
      /^address +ok +127\.0\.0\.1:\d+ is the RPC of a node with CometBFT 0\.38\.21$/m,
    )
    expect(text).toMatch(/^chain +ok +test-1 at height 400, a block every \d\.\d s$/m)
    for (const area of ['blocks', 'results', 'state']) {
      expect(text).toMatch(new RegExp(`^${area} +ok +from height 1 on: 400 heights`, 'm'))
    }
    expect(text).toMatch(/^headers +ok +verified at height 399/m)
    expect(text).toMatch(/^x\/gov +ok +cosmos\.gov; 2 votes are open$/m)
    expect(text).toMatch(/^closed votes +ok +all of them/m)
    expect(text).not.toContain('secret-path')
  })

  it('finds the window of states, and the lowest start, with few requests', async () => {
    const node = await startOne({
      strike: ({ path, height }) =>
        path !== '' && height > 0 && height < 301 ? 'pruned heights' : undefined,
    })
    const text = await diagnose(node.url)
    expect(text).toMatch(/^blocks +ok +from height 1 on/m)
    expect(text).toMatch(/^state +ok +from height 301 on: 100 heights/m)
    expect(text).toMatch(/^new votes +warning .* more than 100 heights/m)
    expect(text).toMatch(/^closed votes +warning .*START_HEIGHT=302/m)
    const pools = node.requests.filter(({ path }) => path.endsWith('staking.v1beta1.Query/Pool'))
    expect(pools.length).toBeLessThan(15)
    expect(node.requests.length).toBeLessThan(100)
  })

  it('names a node that has discarded the results of blocks', async () => {
    const node = await startOne({ window: { results: 0 } })
    const text = await diagnose(node.url)
    expect(text).toMatch(/^results +problem +not readable: it has none of height 399/m)
    expect(text).toMatch(/^new votes +problem .*\n +→ .*discard_abci_responses/m)
  })

  it('names a chain without x/gov, and a package of its own', async () => {
    const bare = createMemoryChain()
    bare.add({}, (state) => Object.assign(state, { govPackage: null }))
    bare.add()
    const fork = createMemoryChain()
    fork.add({}, (state) =>
      Object.assign(state, { govPackage: 'atomone.gov', reflection: 'types' }),
    )
    fork.add()
    const [without, own] = await Promise.all(
      [bare, fork].map((each) =>
        startOne({
          chain: showChain(each),
          abci: (request) => readState(each, request),
        }),
      ),
    )
    expect(await diagnose(without!.url)).toMatch(/^x\/gov +problem +This chain has no x\/gov/m)
    expect(await diagnose(own!.url)).toMatch(/^x\/gov +ok +atomone\.gov; 0 votes are open$/m)
  })

  it('waits after refusals', async () => {
    const node = await startOne()
    let calls = 0
    const gateway = await startGateway(node.url, (_, response) => {
      calls++
      if (calls % 5 !== 3) return false
      response.writeHead(429, { 'retry-after': '2' }).end('slow down')
      return true
    })
    const text = await diagnose(gateway)
    expect(text).toMatch(/^state +ok +from height 1 on/m)
  })

  it('has the User-Agent and the configured headers in every request', async () => {
    const node = await startOne()
    const isKnown = (sent: SentHeaders) =>
      sent['x-api-key'] === 'key' && /^rollcall\/\d/.test(sent['user-agent'] ?? '')
    const gateway = await startGateway(node.url, (_, response, sent) => {
      if (!isKnown(sent)) response.writeHead(401).end('no key')
      return !isKnown(sent)
    })
    const text = await diagnose(gateway, { 'x-api-key': 'key' })
    expect(text).toMatch(/^state +ok +from height 1 on/m)
    expect(await diagnose(gateway)).toMatch(
      /^address +problem .* HTTP status 401: no key\n +→ check the address, its key in CHAIN_RPC_HEADERS, and the node$/m,
    )
  })

  it('keeps what it knows if the endpoint fails in the middle', async () => {
    const node = await startOne({
      strike: ({ path, method }) =>
        path !== '' || method === 'commit' ? 'invalid JSON' : undefined,
    })
    const text = await diagnose(node.url)
    expect(text).toMatch(/^chain +ok +test-1/m)
    expect(text).toMatch(/^state +problem +not readable: the response is not JSON/m)
    expect(text).toMatch(/^x\/gov +problem +not readable/m)
    expect(text).toMatch(/^headers +warning +not verifiable: the response is not JSON/m)
  })

  it('names what else the address is, by its host only', async () => {
    const rest = await startGateway('', (_, response) => {
      response.writeHead(501, { 'content-type': 'application/json' })
      response.end('{"code":12,"message":"Not Implemented","details":[]}')
      return true
    })
    expect(await diagnose(`${rest}/secret-path`)).toMatch(
      /^address +problem +127\.0\.0\.1:\d+: this is the REST API of a node, usually port 1317\n +→ use the RPC port of the same node, usually 26657\n/,
    )
    expect(await diagnose('http://127.0.0.1:1/secret-path')).toMatch(
      /^address +problem +127\.0\.0\.1:1: it does not respond like a node: ECONNREFUSED\n/,
    )
    expect(await diagnose('ws://127.0.0.1:1/secret-path')).toMatch(
      /^address +problem +this is not an http or https URL\n/,
    )
    expect(await diagnose('http://127.0.0.1:1/secret-path')).not.toContain('secret-path')
  })

  it('names the limits of an endpoint that refuses requests', async () => {
    const limited = await startGateway('', (_, response) => {
      response.writeHead(429).end()
      return true
    })
    expect(await diagnose(limited)).toMatch(
      /problem +127\.0\.0\.1:\d+: it refuses requests: .*HTTP status 429\n +→ check its key in CHAIN_RPC_HEADERS/,
    )
  })

  it('of an RPC that answers nonsense names the reason', async () => {
    const node = await startOne({
      reply: async () => ({ result: { node_info: {}, sync_info: {} } }),
    })
    expect(await diagnose(node.url)).toMatch(
      /^address +problem +127\.0\.0\.1:\d+: it does not respond like a node: node_info\.network is missing/,
    )
  })
})
