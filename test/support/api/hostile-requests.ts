// Generates malformed requests from valid parts. The same seed gives the same requests.

import { createRandom, type Random } from '../log/governance-story.ts'
import { PROTOTYPE_NAMES } from './hostile-texts.ts'

export type HostileRequest = ReturnType<ReturnType<typeof createHostileRequests>>

/** The valid parts, which the generator changes. */
export type GoodParts = {
  tokens: readonly string[]
  idJags: readonly string[]
  paths: readonly string[]
}

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/jwt',
  '',
  'x',
  'application/JSON;;',
]
const NAMES = [
  'grant_type',
  'assertion',
  'assertion_type',
  'type',
  'token',
  'claim_token',
  'scope',
  'client_id',
  'client_secret',
  'resource',
  'login_hint',
  'claim_attempt_token',
  'chain_id',
  'address',
  'pub_key',
  'signature',
  ...PROTOTYPE_NAMES,
  '',
  'é',
]
const VALUES = [
  ...PROTOTYPE_NAMES,
  'anonymous',
  'identity_assertion',
  'service_auth',
  'urn:ietf:params:oauth:token-type:id-jag',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'client_credentials',
  'proposals:read',
  'urn:workos:agent-auth:grant-type:claim',
  'cosmoshub-4',
  'authorization_code',
  '\u0000',
  '%00',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>',
  '\ud800',
  '\u202e',
  '9'.repeat(400),
  'clm_',
  'reg_',
  'a.b.c',
  '..',
  'e30.e30.e30',
  'null',
  '[]',
  '{}',
]

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T

/** Half of a surrogate pair is invalid in a URL. */
const wellFormed = (text: string): string => Buffer.from(text).toString()

const bend = (random: Random, text: string): string => {
  const at = random(text.length + 1)
  switch (random(8)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(at)
    case 2:
      return `${text.slice(0, at)}${String.fromCharCode(33 + random(90))}${text.slice(at + 1)}`
    case 3:
      return text + text
    case 4:
      return text.split('.').reverse().join('.')
    case 5:
      return `${Buffer.from('{"alg":"none"}').toString('base64url')}${text.slice(text.indexOf('.'))}`
    case 6:
      return text.replace(/[^.]+$/, '')
    default:
      return text
  }
}

const createText = (random: Random, { tokens, idJags }: GoodParts): string => {
  const kind = random(10)
  if (kind < 3) return bend(random, pick(random, tokens))
  if (kind < 4) return bend(random, pick(random, idJags))
  if (kind < 9) return pick(random, VALUES)
  return String.fromCharCode(...Array.from({ length: random(60) }, () => random(65_536)))
}

const jsonValue = (random: Random, parts: GoodParts, depth: number): unknown => {
  const kind = random(depth > 2 ? 4 : 7)
  if (kind === 0) return random(1_000) - 500
  if (kind === 1) return pick(random, [null, true, 1e308, []])
  if (kind < 5) return createText(random, parts)
  return Object.fromEntries(
    Array.from({ length: random(5) }, () => [
      pick(random, NAMES),
      jsonValue(random, parts, depth + 1),
    ]),
  )
}

const jsonBody = (random: Random, parts: GoodParts): string => {
  const fields = Array.from({ length: 1 + random(6) }, () => [
    pick(random, NAMES),
    jsonValue(random, parts, 0),
  ])
  const body = JSON.stringify({ type: pick(random, VALUES), ...Object.fromEntries(fields) })
  return random(4) === 0 ? bend(random, body) : body
}

const formBody = (random: Random, parts: GoodParts): string => {
  const fields = Array.from({ length: 1 + random(6) }, () =>
    [pick(random, NAMES), wellFormed(createText(random, parts))].map(encodeURIComponent).join('='),
  )
  const grant = `grant_type=${encodeURIComponent(wellFormed(pick(random, VALUES)))}`
  const body = [...(random(3) === 0 ? [] : [grant]), ...fields].join('&')
  return random(4) === 0 ? bend(random, body) : body
}

const createBody = (random: Random, parts: GoodParts): string | undefined => {
  const kind = random(20)
  if (kind < 8) return jsonBody(random, parts)
  if (kind < 16) return formBody(random, parts)
  if (kind === 16) return undefined
  if (kind === 17) return pick(random, ['[', '{"a":']).repeat(random(4_000))
  return 'x'.repeat(random(40_000))
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

const createHeaders = (
  random: Random,
  parts: GoodParts,
  isForm: boolean,
): Record<string, string> => {
  const fitting = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    'content-type': random(6) === 0 ? pick(random, TYPES) : fitting,
    ...(random(5) === 0
      ? {
          authorization: printable(
            `${pick(random, ['Bearer ', 'Basic ', ''])}${createText(random, parts)}`,
          ),
        }
      : {}),
    ...(random(8) === 0 ? { origin: pick(random, ['null', 'https://evil.test', '', 'x']) } : {}),
    ...(random(8) === 0 ? { 'if-none-match': printable(createText(random, parts)) } : {}),
    ...(random(8) === 0 ? { host: printable(createText(random, parts)) } : {}),
  }
}

const createQuery = (random: Random, parts: GoodParts): string => {
  if (random(6) > 0) return ''
  const value = encodeURIComponent(wellFormed(createText(random, parts))).slice(0, 2_000)
  return `?${pick(random, NAMES)}=${value}`
}

/** An endless source. */
export const createHostileRequests = (seed: number, parts: GoodParts) => {
  const random = createRandom(seed)
  return () => {
    const payload = createBody(random, parts)
    const isForm = payload !== undefined && /^[\w%]+=/.test(payload)
    const hasBody = random(10) > 0
    return {
      method: hasBody ? 'POST' : pick(random, METHODS),
      url: encodeURI(pick(random, parts.paths)) + createQuery(random, parts),
      headers: createHeaders(random, parts, isForm),
      payload: hasBody ? payload : undefined,
      // A few requests are repeated.
      remoteAddress:
        random(4) === 0 ? `192.0.2.${random(3)}` : `198.51.${random(100)}.${random(256)}`,
    }
  }
}
