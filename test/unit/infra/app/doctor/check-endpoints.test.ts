// Tests what is said of an endpoint that does not answer like a node.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { checkEndpoints } from '../../../../../infra/app/doctor/check-chain.ts'
import { findingsText } from '../../../../../infra/app/doctor/finding.ts'

const check = async (status: number, body = '') => {
  const server = createServer((_, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { signal } = new AbortController()
  return findingsText(
    await checkEndpoints({ urls: [url], chainId: undefined, indexed: undefined, signal }),
  )
}

it('names the limits of an endpoint that refuses requests, and a node that does not respond', async () => {
  const [limited, broken] = await Promise.all([check(429), check(500)])
  expect(limited).toMatch(
    /problem +127\.0\.0\.1:\d+: it refuses requests: .*HTTP status 429\n +→ check its key in CHAIN_RPC_HEADERS/,
  )
  expect(broken).toMatch(/problem +127\.0\.0\.1:\d+: it does not respond like a node: .*500/)
})

it('names an address that is another port of a node', async () => {
  const text = await check(501, '{"code":12,"message":"Not Implemented","details":[]}')
  expect(text).toMatch(
    /problem +127\.0\.0\.1:\d+: this is the REST API of a node, usually port 1317\n/,
  )
  expect(text).toContain('→ use the RPC port of the same node, usually 26657')
})
