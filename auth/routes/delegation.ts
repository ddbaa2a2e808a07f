// The page on which a human claims an agent with a wallet, and its API. No other origin may call this API.
// A caller must have the token of the attempt, which is only sent in bodies.
import type { FastifyReply } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { OWN_PAGES_ONLY } from '../../infra/base/http/headers.ts'
import type { Request, Route } from '../../infra/base/http/routes.ts'
import { DEMO_NOTE, isDemoChain } from '../../ingest/contract/demo-chain.ts'
import { readJson } from '../bodies.ts'
import { completeClaim, denyClaim, findAttempt, signRequestFor } from '../claims/claim-attempt.ts'
import { type AuthContext, takeQuota } from '../context.ts'
import { PATHS } from '../contract/service.ts'
import { DELEGATION_FILES, type PageFile } from '../html/delegation-files.ts'
import { delegationPage } from '../html/delegation-page.tsx'
import { AuthError, NEVER_STORED } from '../oauth-error.ts'
import { createDocument, createEndpoint } from './route.ts'

const Text = Type.String({ maxLength: 10_000 })
const attemptBody = { claim_attempt_token: Text }
const signerBody = { ...attemptBody, chain_id: Text, address: Text }

const ATTEMPT = Type.Object(attemptBody)
const SIGNER = Type.Object(signerBody)
/** The result of `signArbitrary` in wallets; the type of the key is ignored. */
const SIGNED = Type.Object({
  ...signerBody,
  pub_key: Type.Object({ value: Text }),
  signature: Text,
})

const PAGE_HEADERS = {
  ...NEVER_STORED,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const

export const requireOwnOrigin = ({ headers }: Request, { service }: AuthContext): void => {
  const own = new URL(service().issuer).origin
  const isForeign =
    (headers.origin !== undefined && headers.origin !== own) ||
    headers['sec-fetch-site'] === 'cross-site'
  if (isForeign)
    throw new AuthError('foreign_origin', 'Only a page of this service may call this endpoint.')
}

type Step<S extends TSchema> = {
  name: string
  schema: S
  expected: string
  run: (context: AuthContext, body: Static<S>) => Promise<object>
}

const attemptStep: Step<typeof ATTEMPT> = {
  name: 'attempt',
  schema: ATTEMPT,
  expected: 'a JSON object with a claim_attempt_token',
  run: async (context, body) => {
    const attempt = await findAttempt(context, body.claim_attempt_token)
    return {
      registration_id: attempt.registrationId,
      registered_at: attempt.registeredAt,
      claim_attempt_id: attempt.attemptId,
      user_code: attempt.userCode,
      client_name: attempt.clientName,
      login_hint: attempt.loginHint,
      expires_at: attempt.expires,
      /** The clock of the human's machine may be wrong. */
      expires_in: (attempt.expiresMs - context.clock.now()) / 1_000,
      chains: context.config.walletChains.map(({ chainId, prefix, algorithm }) => ({
        chain_id: chainId,
        address_prefix: prefix,
        algorithm,
      })),
    }
  },
}

const textStep: Step<typeof SIGNER> = {
  name: 'text',
  schema: SIGNER,
  expected: 'a JSON object with a claim_attempt_token, a chain_id and an address',
  run: async (context, body) => {
    const attempt = await findAttempt(context, body.claim_attempt_token)
    const signer = { chainId: body.chain_id, address: body.address }
    const { address, text } = signRequestFor(context, attempt, signer)
    return { chain_id: body.chain_id, signer: address, text }
  },
}

const completeStep: Step<typeof SIGNED> = {
  name: 'complete',
  schema: SIGNED,
  expected:
    'a JSON object with a claim_attempt_token, a chain_id, an address, a pub_key with a value, and a signature',
  run: async (context, body) => {
    const attempt = await findAttempt(context, body.claim_attempt_token)
    const claimed = await completeClaim(context, attempt, {
      signer: { chainId: body.chain_id, address: body.address },
      signed: { publicKey: body.pub_key.value, signature: body.signature },
    })
    return {
      status: 'claimed',
      registration_id: claimed.registrationId,
      chain_id: claimed.chainId,
      address: claimed.address,
    }
  },
}

const denyStep: Step<typeof ATTEMPT> = {
  name: 'deny',
  schema: ATTEMPT,
  expected: 'a JSON object with a claim_attempt_token',
  run: async (context, body) => {
    const attempt = await findAttempt(context, body.claim_attempt_token)
    await denyClaim(context, attempt)
    return { status: 'denied', registration_id: attempt.registrationId }
  },
}

const createStep = <S extends TSchema>(context: AuthContext, step: Step<S>): Route => {
  const { name, schema, expected, run } = step
  const check = Compile(schema)
  const answer = async (request: Request) => {
    requireOwnOrigin(request, context)
    takeQuota(context.limits.claimPage, request)
    return run(context, readJson(request, check, expected))
  }
  return createEndpoint(`${PATHS.delegation}/${name}`, answer, { cors: OWN_PAGES_ONLY })
}

/** What stands above each page of the demo chain. */
export function getDemoNotice({ config }: AuthContext): string | undefined {
  const isDemo = config.walletChains.some(({ chainId }) => isDemoChain(chainId))
  return isDemo ? DEMO_NOTE : undefined
}

const sendPage = (reply: FastifyReply, context: AuthContext): FastifyReply =>
  reply
    .headers(PAGE_HEADERS)
    .type('text/html; charset=utf-8')
    .send(delegationPage(context.service().urls.delegation, getDemoNotice(context)))

/** Asked for again each time: a page must not run with the script of another version. */
const createFile = ({ name, type, text }: PageFile): Route =>
  createDocument({
    path: `${PATHS.delegation}/${name}`,
    mediaType: type,
    cacheControl: 'no-cache',
    write: () => text,
    cors: OWN_PAGES_ONLY,
  })

export const createDelegationRoutes = (context: AuthContext): Route[] => [
  {
    path: PATHS.delegation,
    cors: OWN_PAGES_ONLY,
    credentials: 'own',
    handlers: { GET: (_request, reply) => sendPage(reply, context) },
  },
  ...DELEGATION_FILES.map(createFile),
  createStep(context, attemptStep),
  createStep(context, textStep),
  createStep(context, completeStep),
  createStep(context, denyStep),
]
