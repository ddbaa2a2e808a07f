// Tests what is said of addresses that are not the RPC of a node, with a server of each kind.
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { explainFailure, explainText } from '../../../../ingest/rpc-address/explain-address.ts'
import { identifyAddress } from '../../../../ingest/rpc-address/identify-address.ts'
import { createBlockChain } from '../../../support/simulator/block-chain.ts'
import { startNode } from '../../../support/simulator/nodes/node.ts'

const { signal } = new AbortController()

const listen = async (server: net.Server): Promise<string> => {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that answers every request in this way. */
const answering = (status: number, body: string, headers: http.OutgoingHttpHeaders = {}) =>
  listen(
    http.createServer((request, response) => {
      request.resume()
      response.writeHead(status, headers).end(body)
    }),
  )

/** A server that sends these bytes to every connection. */
const sending = (bytes: Uint8Array) =>
  listen(
    net.createServer((socket) => {
      socket.on('error', () => {})
      socket.write(bytes)
    }),
  )

const identify = async (address: string) => {
  const found = await identifyAddress(address, { signal, timeoutMs: 500 })
  return found && `${found.what}; ${found.remedy}`
}

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' }

describe('an address', () => {
  it('of a node is not wrong, even if the node refuses the call', async () => {
    const node = await startNode({ chain: createBlockChain({ blocks: 1 }) })
    onTestFinished(node.close)
    expect(await identify(node.url)).toBeUndefined()
    const refusing = '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}'
    expect(await identify(`http://${await answering(500, refusing, JSON_TYPE)}`)).toBeUndefined()
  })

  it.each([
    [
      501,
      '{"code":12,"message":"Not Implemented","details":[]}',
      JSON_TYPE,
      /REST API of a node, usually port 1317; use the RPC port of the same node, usually 26657/,
    ],
    [404, '{"code":5,"message":"Not Found","details":[]}', JSON_TYPE, /REST API/],
    [
      415,
      'invalid gRPC request content-type "application/json"',
      {},
      /gRPC port .* use the RPC port/,
    ],
    [400, 'Client sent an HTTP request to an HTTPS server.\n', {}, /expects https.* use https:/],
    [
      400,
      '<html><center>The plain HTTP request was sent to HTTPS port</center></html>',
      HTML_TYPE,
      /expects https/,
    ],
    [
      200,
      '<!doctype html><title>Mintscan\n explorer</title>',
      HTML_TYPE,
      /website \(“Mintscan explorer”\): it answers an HTML page; use the RPC address/,
    ],
    [
      403,
      '<html><title>Just a moment…</title></html>',
      HTML_TYPE,
      /gateway refuses this machine \(HTTP status 403\); check the key/,
    ],
    [
      429,
      '{"message":"API rate limit exceeded"}',
      JSON_TYPE,
      /limits requests \(HTTP status 429\)/,
    ],
    [401, 'no key', {}, /wants credentials/],
    [404, '404 page not found\n', {}, /no RPC at this path .* such as \/rpc/],
    [
      502,
      '<html>Bad Gateway</html>',
      HTML_TYPE,
      /gateway answers, and the node behind it does not \(HTTP status 502\)/,
    ],
    [
      301,
      '',
      { location: 'https://rpc.example.org/secret' },
      /redirects to https:\/\/rpc\.example\.org; use the URL at https:\/\/rpc\.example\.org$/,
    ],
    [
      200,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method status does not exist"}}',
      JSON_TYPE,
      /JSON-RPC, but not of CometBFT.*8545/,
    ],
    [
      200,
      '{"jsonrpc":"2.0","id":-1,"result":{"node_info":{}}}',
      JSON_TYPE,
      /URL of one method of the RPC; remove the method/,
    ],
    [200, '{"status":"ok"}', JSON_TYPE, /another API: it answers JSON, but not JSON-RPC/],
    [200, '', {}, /the answer is not JSON \(HTTP status 200, 0 bytes\)/],
  ] as const)('that answers %i %s is named', async (status, body, headers, expected) => {
    expect(await identify(`http://${await answering(status, body, headers)}`)).toMatch(expected)
  })

  it('of the gRPC port is named, whatever the server sends first', async () => {
    expect(await identify(`http://${await listen(http2.createServer())}`)).toMatch(/gRPC port/)
    const settings = Buffer.from('0000060400000000000005000040000000', 'hex')
    expect(await identify(`http://${await sending(settings)}`)).toMatch(/gRPC port .* usually 9090/)
    expect(await identify(`https://${await sending(settings)}`)).toMatch(/gRPC port/)
  })

  it('of the port for peers, or of another protocol, is named', async () => {
    const key = Buffer.concat([Buffer.from('220a20', 'hex'), Buffer.alloc(32, 7)])
    expect(await identify(`http://${await sending(key)}`)).toMatch(/for its peers, usually 26656/)
    const ssh = Buffer.from('SSH-2.0-OpenSSH_9.6\r\n')
    expect(await identify(`http://${await sending(ssh)}`)).toMatch(/does not speak HTTP/)
  })

  it('with http for a port with https, or the reverse, is named', async () => {
    const tls = await listen(https.createServer({}))
    expect(await identify(`http://${tls}`)).toMatch(
      /expects https, .* use https:\/\/ with the same/,
    )
    const node = await startNode({ chain: createBlockChain({ blocks: 1 }) })
    onTestFinished(node.close)
    expect(await identify(node.url.replace('http:', 'https:'))).toMatch(
      /has no TLS, .* use http:\/\/ with the same port/,
    )
  })

  it('of the websocket is named', async () => {
    const host = await answering(400, 'Bad Request\n')
    expect(await identify(`http://${host}/websocket`)).toMatch(/remove \/websocket/)
    expect(await identify('wss://rpc.example.org/secret/websocket')).toBe(
      'this is a websocket address; use https:// without /websocket: Rollcall finds the websocket itself',
    )
    expect(await identify('ws://127.0.0.1:26657/websocket')).toMatch(/use http:\/\/ without/)
  })

  it('without a server, or with a silent one, is named', async () => {
    expect(await identify('http://127.0.0.1:1')).toMatch(/accepts no connection on this port/)
    const silent = await listen(net.createServer())
    expect(await identify(`http://${silent}`)).toMatch(/does not answer in time/)
  })
})

describe('the text of an address', () => {
  it.each([
    ['http://localhost:26657', undefined],
    ['localhost:26657', /no.*URL|not a URL/],
    ['rpc.example.org', /this is not a URL/],
    ['tcp://0.0.0.0:26657', /configuration of a node/],
    ['grpc://rpc.example.org:9090', /gRPC address/],
    ['http://', /not a valid http or https URL/],
    ['ftp://rpc.example.org', /not a valid http or https URL/],
  ] as const)('%s', (address, expected) => {
    const { what } = explainText(address) ?? {}
    if (expected) expect(what).toMatch(expected)
    else expect(what).toBeUndefined()
  })
})

it('sends the configured headers to the address, and never without TLS if the address has it', async () => {
  const sent: http.IncomingHttpHeaders[] = []
  const host = await listen(
    http.createServer((request, response) => {
      sent.push(request.headers)
      request.resume()
      response.end('{}')
    }),
  )
  const headers = { 'x-api-key': 'key' }
  await identifyAddress(`http://${host}`, { signal, headers })
  await identifyAddress(`https://${host}`, { signal, headers })
  expect(sent.map((each) => each['x-api-key'])).toEqual(['key', undefined])
  for (const each of sent) expect(each['user-agent']).toMatch(/^rollcall\/\d/)
})

describe('a failed connection', () => {
  it.each([
    ['ENOTFOUND', /host name does not exist/],
    ['EAI_AGAIN', /DNS server does not answer/],
    ['EHOSTUNREACH', /cannot be reached/],
    ['ETIMEDOUT', /does not answer in time/],
    ['CERT_HAS_EXPIRED', /certificate of the host is not valid \(CERT_HAS_EXPIRED\)/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate/],
    ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', /gRPC port/],
    ['EPROTO', /does not speak TLS/],
    ['ESOMETHING', /the connection failed: unknown fault/],
  ])('with the code %s has its reason', (code, expected) => {
    const failure = { kind: 'failed', code, message: 'unknown fault' } as const
    expect(explainFailure(failure, { isHttps: true }).what).toMatch(expected)
  })
})
