// A test identity provider: publishes its keys on loopback, signs ID-JAGs, and counts requests for keys.
import type { RequestListener } from 'node:http'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { startServer } from '../http/server.ts'

type Key = { kid: string; privateKey: CryptoKey; jwk: object }

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

type Changes = {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** Signs with an unpublished key under the id of the published one. */
  wrongKey?: boolean
}

const newKey = async (): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, privateKey, jwk: { ...jwk, kid, alg: 'ES256', use: 'sig' } }
}

const KEYS_PATH = '/.well-known/jwks.json'

let lastId = 0

/** `now` is the clock of the verifier, in milliseconds. */
export const startIdentityProvider = async (now: () => number) => {
  let key = await newKey()
  const stranger = await newKey()
  let keyRequests = 0
  let listener: RequestListener | undefined
  let documents: Readonly<Record<string, unknown>> = {}
  const { url: issuer, close } = await startServer((request, response) => {
    const path = request.url ?? ''
    if (path in documents) return void response.end(JSON.stringify(documents[path]))
    if (path !== KEYS_PATH) return void response.writeHead(404).end()
    keyRequests += 1
    if (listener) return listener(request, response)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [key.jwk] }))
  })
  return {
    issuer,
    /** Requests for keys so far. */
    countKeyRequests: () => keyRequests,
    /** Replaces the key; the old one is no longer published. */
    rotate: async () => {
      key = await newKey()
    },
    /** Changes the response to requests for keys. */
    answer: (next: RequestListener | undefined) => {
      listener = next
    },
    /** Serves these documents as JSON, by path. Without a document at `/.well-known/jwks.json`, the keys are there. */
    publish: (next: Readonly<Record<string, unknown>>) => {
      documents = next
    },
    /** The public key as a JWK set. */
    keySet: () => ({ keys: [key.jwk] }),
    /** A valid ID-JAG for this audience with the given changes; `undefined` removes a claim. */
    issue: (audience: unknown, changes: Changes = {}): Promise<string> => {
      const { claims = {}, header = {}, wrongKey = false } = changes
      const seconds = Math.floor(now() / 1_000)
      lastId += 1
      const payload = {
        iss: issuer,
        sub: 'u1',
        aud: audience,
        client_id: 'agent-x',
        jti: `jag-${lastId}`,
        iat: seconds,
        exp: seconds + 300,
        auth_time: seconds - 60,
        email: 'a@b.test',
        email_verified: true,
        scope: 'proposals:read',
        ...claims,
      }
      return new SignJWT(payload as JWTPayload)
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: key.kid, ...header })
        .sign(wrongKey ? stranger.privateKey : key.privateKey, { crit: { x: true } })
    },
    close,
  }
}
