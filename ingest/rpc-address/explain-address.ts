// Explains what an address is if it is not the RPC of a node, and what would be right. Pure.
import { type Exchange, type HttpResponse, NO_ANSWER } from './exchange.ts'

/** Two clauses: `what` is the address, `remedy` is what to do. Neither names a path, because paths may be secret. */
export type WrongAddress = {
  what: string
  remedy: string
  /** The address may be right, and work later. */
  mayPass?: true
}

const RPC_PORT = 'use the RPC port of the same node, usually 26657'
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i

/** From the text alone; undefined for an http or https URL. */
export const explainText = (address: string): WrongAddress | undefined => {
  const scheme = SCHEME.exec(address)?.[1]?.toLowerCase()
  if ((scheme === 'http' || scheme === 'https') && URL.canParse(address)) return undefined
  if (scheme === 'ws' || scheme === 'wss') {
    return {
      what: 'this is a websocket address',
      remedy: `use ${scheme === 'ws' ? 'http' : 'https'}:// without /websocket: Rollcall finds the websocket itself`,
    }
  }
  if (scheme === 'tcp') {
    return {
      what: 'this is the form of an address in the configuration of a node',
      remedy: 'use http:// and the same port; 0.0.0.0 is not an address to connect to',
    }
  }
  if (scheme === 'grpc' || scheme === 'grpcs') {
    return { what: 'this is a gRPC address', remedy: RPC_PORT }
  }
  return scheme === undefined
    ? { what: 'this is not a URL', remedy: 'write it with its scheme: http://localhost:26657' }
    : { what: 'this is not a valid http or https URL', remedy: 'use http:// or https://' }
}

const HTTPS_NEEDED: WrongAddress = {
  what: 'this port expects https, and the address has http',
  remedy: 'use https:// with the same port',
}
const HTTP_NEEDED: WrongAddress = {
  what: 'this port has no TLS, and the address has https',
  remedy: 'use http:// with the same port',
}
const GRPC: WrongAddress = {
  what: 'this is the gRPC port of a node (HTTP/2 only), usually 9090',
  remedy: RPC_PORT,
}
const REST: WrongAddress = {
  what: 'this is the REST API of a node, usually port 1317',
  remedy: RPC_PORT,
}

const NAMES = new Set(['ENOTFOUND', 'EAI_NONAME', 'EAI_NODATA'])
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/
const TLS_FAILURE = /^(?:EPROTO|ERR_SSL_)/
/** The other side of a TLS handshake sent an alert: in the code, or only in the message of OpenSSL. */
const TLS_ALERT = /^ERR_SSL_.*ALERT|SSL alert number/
const NO_HTTP1 = /NO_APPLICATION_PROTOCOL|no application protocol/

/** An HTTP/2 frame of type SETTINGS on the stream 0, the first one of every server. */
const isHttp2 = (bytes: Buffer): boolean =>
  bytes.length >= 9 && bytes[3] === 4 && bytes.readUInt32BE(5) === 0
const isTlsAlert = (bytes: Buffer): boolean => bytes[0] === 0x15 && bytes[1] === 3
/** The first message of CometBFT's peers: 34 bytes with a key of 32 bytes. */
const isPeer = (bytes: Buffer): boolean =>
  bytes[0] === 0x22 && bytes[1] === 0x0a && bytes[2] === 0x20

const explainBytes = (bytes: Buffer): WrongAddress => {
  if (isHttp2(bytes)) return GRPC
  if (isTlsAlert(bytes)) return HTTPS_NEEDED
  if (isPeer(bytes)) {
    return { what: 'this is the port of a node for its peers, usually 26656', remedy: RPC_PORT }
  }
  return { what: 'this port does not speak HTTP', remedy: RPC_PORT }
}

/** `code` of a failed connection, for example from the error of a call. */
const explainCode = (code: string): WrongAddress | undefined => {
  if (NAMES.has(code)) {
    return { what: 'this host name does not exist', remedy: 'check the name for typing errors' }
  }
  if (code === 'EAI_AGAIN') {
    return {
      what: 'the DNS server does not answer',
      remedy: 'check the network of this machine',
      mayPass: true,
    }
  }
  if (code === 'ECONNREFUSED') {
    return {
      what: 'the host accepts no connection on this port',
      remedy:
        'start the node, or check the port: usually 26657; a node may listen only on 127.0.0.1',
    }
  }
  if (UNREACHABLE.has(code)) {
    return {
      what: 'the host cannot be reached',
      remedy: 'check the address and the network',
      mayPass: true,
    }
  }
  if (code === 'ETIMEDOUT' || code === NO_ANSWER) {
    return {
      what: 'the host does not answer in time',
      remedy: 'check the address and firewalls: a closed port may be silent',
      mayPass: true,
    }
  }
  if (CERTIFICATE.test(code)) {
    return {
      what: `the certificate of the host is not valid (${code})`,
      remedy: 'use the host name that the certificate has, or an endpoint with a valid one',
    }
  }
  return undefined
}

/** Whether the same port may answer to the other scheme. */
export const mayNeedOtherScheme = (found: Exchange): boolean =>
  found.kind === 'failed' &&
  (found.code === 'ECONNRESET' ||
    TLS_FAILURE.test(found.code) ||
    isTlsAlert(found.firstBytes ?? Buffer.alloc(0)))

/** `other` is the outcome with the other scheme, if it was tried. */
export const explainFailure = (
  { code, message, firstBytes }: Extract<Exchange, { kind: 'failed' }>,
  { isHttps, other }: { isHttps: boolean; other?: Exchange | undefined },
): WrongAddress => {
  if (firstBytes) return explainBytes(firstBytes)
  if (NO_HTTP1.test(code) || NO_HTTP1.test(message)) return GRPC
  const known = explainCode(code)
  if (known) return known
  if (other?.kind === 'response') return isHttps ? HTTP_NEEDED : HTTPS_NEEDED
  if (other?.firstBytes && isHttp2(other.firstBytes)) return GRPC
  const hasTls =
    other && (CERTIFICATE.test(other.code) || TLS_ALERT.test(`${other.code} ${other.message}`))
  if (hasTls && !isHttps) return HTTPS_NEEDED
  if (TLS_FAILURE.test(code))
    return { what: `this port does not speak TLS (${code})`, remedy: RPC_PORT }
  return { what: `the connection failed: ${message}`, remedy: RPC_PORT, mayPass: true }
}

const REFUSALS: Readonly<Record<number, WrongAddress>> = {
  401: {
    what: 'the gateway wants credentials (HTTP status 401)',
    remedy: 'put the key of your provider into the URL or CHAIN_RPC_HEADERS',
  },
  403: {
    what: 'the gateway refuses this machine (HTTP status 403)',
    remedy: 'check the key; a gateway may block addresses, or bursts of requests',
  },
  429: {
    what: 'the gateway limits requests (HTTP status 429)',
    remedy: 'wait, or use an endpoint with a higher limit',
    mayPass: true,
  },
  404: {
    what: 'the host has no RPC at this path (HTTP status 404)',
    remedy: 'check the path: a provider may have one for each chain, such as /rpc',
  },
  405: {
    what: 'the host accepts no POST at this path (HTTP status 405)',
    remedy: 'check the path: this may be a website',
  },
}

const parseJson = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** `{"code":12,"message":"Not Implemented","details":[]}` */
const isGrpcGateway = ({ code, message, jsonrpc }: Record<string, unknown>): boolean =>
  typeof code === 'number' && typeof message === 'string' && jsonrpc === undefined

const METHOD_URL: WrongAddress = {
  what: 'this is the URL of one method of the RPC',
  remedy: 'remove the method from the address, for example /status',
}
/** CometBFT gives the ID -1 to a call that has its method in the path (`rpc/jsonrpc/types`, `URIClientRequestID`). */
const isMethodUrl = ({ jsonrpc, id }: Record<string, unknown>): boolean =>
  jsonrpc !== undefined && id === -1

const explainJson = (json: Record<string, unknown>): WrongAddress | undefined => {
  if (isGrpcGateway(json)) return REST
  if (isMethodUrl(json)) return METHOD_URL
  if (json['jsonrpc'] !== undefined) {
    return {
      what: 'this is JSON-RPC, but not of CometBFT: it has no method "status"',
      remedy: `${RPC_PORT}; 8545 is the port of Ethereum JSON-RPC`,
    }
  }
  return undefined
}

const MAX_TITLE = 60
const readTitle = (html: string): string => {
  const title =
    /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim().replace(/\s+/g, ' ').slice(0, MAX_TITLE) ?? ''
  return title === '' ? '' : ` (“${title}”)`
}

const explainRedirect = (location: string, from: URL): WrongAddress => {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  const where = target ? `${target.protocol}//${target.host}` : 'another address'
  return { what: `this address redirects to ${where}`, remedy: `use the URL at ${where}` }
}

const HTTPS_TEXT = /HTTP request to an HTTPS server|plain HTTP request was sent to HTTPS port/i
const GRPC_TEXT = /^application\/grpc|invalid gRPC request/i

/** What a response is that is not one of the RPC. */
export const explainResponse = (
  { status, headers, body }: HttpResponse,
  url: URL,
): WrongAddress => {
  const text = body.toString()
  const type = headers['content-type'] ?? ''
  if (HTTPS_TEXT.test(text)) return HTTPS_NEEDED
  if (status >= 300 && status < 400) return explainRedirect(headers.location ?? '', url)
  if (GRPC_TEXT.test(type) || GRPC_TEXT.test(text)) return GRPC
  if (/\/websocket\/?$/.test(url.pathname)) {
    return {
      what: 'this is the websocket of a node',
      remedy: 'remove /websocket from the address: Rollcall finds the websocket itself',
    }
  }
  const json = parseJson(text)
  const explained = (json && explainJson(json)) ?? REFUSALS[status]
  if (explained) return explained
  if (status >= 500) {
    return {
      what: `the gateway answers, and the node behind it does not (HTTP status ${status})`,
      remedy: 'wait, or use another endpoint',
      mayPass: true,
    }
  }
  if (/html/i.test(type) || /^\s*</.test(text)) {
    return {
      what: `this is a website${readTitle(text)}: it answers an HTML page`,
      remedy: 'use the RPC address of a node, usually with port 26657 or a path such as /rpc',
    }
  }
  if (json)
    return { what: 'this is another API: it answers JSON, but not JSON-RPC', remedy: RPC_PORT }
  return {
    what: `the answer is not JSON (HTTP status ${status}, ${text.length} bytes)`,
    remedy: RPC_PORT,
  }
}

/** True for every answer of CometBFT to `status`, its errors included. */
export const isRpcAnswer = (found: Exchange): boolean => {
  if (found.kind !== 'response') return false
  const json = parseJson(found.body.toString())
  if (json === undefined || isMethodUrl(json)) return false
  const { result, error } = json
  if (typeof result === 'object' && result !== null) return 'node_info' in result
  const { code } = (error ?? {}) as { code?: unknown }
  const METHOD_NOT_FOUND = -32601
  return json['jsonrpc'] !== undefined && code !== undefined && code !== METHOD_NOT_FOUND
}
