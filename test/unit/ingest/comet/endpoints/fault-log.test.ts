// Tests that the start of ingest says what answers at an address that is not the RPC of a node.
import http from 'node:http'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { startIngest } from '../../../../../ingest/main.ts'
import { ingestConfig } from '../../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../../support/chain/memory-chain.ts'
import { showChain } from '../../../../support/chain/shown-chain.ts'
import { openMemoryLog } from '../../../../support/log/memory-log.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import { startNode } from '../../../../support/simulator/nodes/node.ts'

const startOne = async () => {
  const chain = createMemoryChain()
  for (let height = 1; height <= 3; height++) chain.add()
  const node = await startNode({ chain: showChain(chain) })
  onTestFinished(node.close)
  return node
}

/** The REST API of a node, which may become the RPC. */
const startRest = async () => {
  let target: string | undefined
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    if (target !== undefined && parts.length > 0) {
      const answer = await fetch(target, { method: 'POST', body: Buffer.concat(parts) })
      return void response.writeHead(answer.status).end(await answer.text())
    }
    response.writeHead(501, { 'content-type': 'application/json' })
    response.end('{"code":12,"message":"Not Implemented","details":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    replaceBy: (url: string) => {
      target = url
    },
  }
}

const start = async (urls: string) => {
  const { logger, lines } = recordingLogger()
  const ingest = await startIngest({
    log: openMemoryLog(),
    logger,
    config: ingestConfig({ CHAIN_RPC_URLS: urls }),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(ingest.close)
  const explanations = () => lines.filter(({ msg }) => msg === 'endpoint failed')
  return { ingest, lines, explanations }
}

const WHAT = 'this is the REST API of a node, usually port 1317'
const REMEDY = 'use the RPC port of the same node, usually 26657'
const isExplained = (reasons: readonly string[], host: string): boolean =>
  reasons.includes(`endpoint ${host}: ${WHAT}; ${REMEDY}`)

it('names the REST API once, in the log and for operators, by its host only', async () => {
  const { host } = await startRest()
  const { ingest, lines, explanations } = await start(`http://${host}/secret-path`)
  await expect.poll(() => isExplained(ingest.readiness().reasons, host)).toBe(true)
  expect(ingest.readiness().ready).toBe(false)
  const waits = `waiting for the chain: endpoint ${host}: ${WHAT}; ${REMEDY}`
  expect(ingest.readiness().details).toMatchObject({ reading: waits })
  expect(explanations()).toEqual([
    expect.objectContaining({ level: 'warn', endpoint: host, reason: WHAT, remedy: REMEDY }),
  ])
  expect(JSON.stringify(lines)).not.toContain('secret-path')
  expect(JSON.stringify(lines)).not.toContain('501')
})

it('names a wrong address beside a right one, and follows the chain', async () => {
  const { host } = await startRest()
  const node = await startOne()
  const { ingest, explanations } = await start(`http://${host},${node.url}`)
  await expect.poll(() => ingest.progress().height).toBeGreaterThan(0)
  await expect.poll(explanations).toMatchObject([{ endpoint: host, reason: WHAT }])
  expect(ingest.readiness().details).not.toHaveProperty('reading')
})

it('says nothing more once the address is the RPC of a node', async () => {
  const rest = await startRest()
  const node = await startOne()
  const { ingest, explanations } = await start(`http://${rest.host}`)
  await expect.poll(() => explanations().length).toBe(1)
  rest.replaceBy(node.url)
  await expect.poll(() => ingest.progress().height).toBeGreaterThan(0)
  await expect.poll(() => ingest.readiness().reasons).toEqual([])
  expect(explanations()).toHaveLength(1)
})

it('does not take an outage for a wrong address', async () => {
  const node = await startOne()
  node.fault('HTTP 500')
  const { ingest, explanations } = await start(node.url)
  await expect.poll(explanations).toHaveLength(1)
  expect(explanations()[0]?.['reason']).toContain('HTTP status 500')
  expect(ingest.readiness().reasons.join()).toContain('HTTP status 500')
  node.heal()
  await expect.poll(() => ingest.progress().height).toBeGreaterThan(0)
})

it('names the gRPC port by its first bytes', async () => {
  const server = http2.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { ingest } = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const said = () => ingest.readiness().reasons.join()
  await expect.poll(said).toContain(`this is the gRPC port of a node, usually 9090; ${REMEDY}`)
})
