// The page on which a human claims an agent with a wallet, and its API. No other origin may call this API.
// A caller must have the token of the attempt, which is only sent in bodies.
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { OWN_PAGES_ONLY } from '../../infra/base/http/headers.ts'
import type { Request, Route } from '../../infra/base/http/routes.ts'
import { DEMO_NOTE, isDemoChain } from '../../ingest/contract/demo-chain.ts'
import type { Attempt } from '../agents/agent-state.ts'
import { readJson } from '../bodies.ts'
import { completeClaim, denyClaim, findAttempt, signRequestFor } from '../claims/claim-attempt.ts'
import { type AuthContext, takeQuota } from '../context.ts'
import { PATHS } from '../contract/service.ts'
import { delegationPage, PAGE_FILES } from '../html/delegation-page.tsx'
import { AuthError, NEVER_STORED } from '../oauth-error.ts'
import { createDocument, createEndpoint } from './route.ts'

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

const Text = Type.String({ maxLength: 10_000 })
const ATTEMPT = { claim_attempt_token: Text }
const SIGNER = { ...ATTEMPT, chain_id: Text, address: Text }
/** The result of `signArbitrary` in wallets; the type of the key is ignored. */
const SIGNED = { ...SIGNER, pub_key: Type.Object({ value: Text }), signature: Text }

type Step<Members extends TProperties> = {
  members: Members
  run: (
    context: AuthContext,
    attempt: Attempt,
    body: Static<TObject<Members>>,
  ) => Promise<object> | object
}

const showAttempt: Step<typeof ATTEMPT> = {
  members: ATTEMPT,
  run: ({ clock, config }, attempt) => ({
    registration_id: attempt.registrationId,
    registered_at: attempt.registeredAt,
    claim_attempt_id: attempt.attemptId,
    user_code: attempt.userCode,
    client_name: attempt.clientName,
    login_hint: attempt.loginHint,
    expires_at: attempt.expires,
    /** The clock of the human's machine may be wrong. */
    expires_in: (attempt.expiresMs - clock.now()) / 1_000,
    chains: config.walletChains.map(({ chainId, prefix, algorithm }) => ({
      chain_id: chainId,
      address_prefix: prefix,
      algorithm,
    })),
  }),
}

const showText: Step<typeof SIGNER> = {
  members: SIGNER,
  run: (context, attempt, { chain_id: chainId, address }) => {
    const request = signRequestFor(context, attempt, { chainId, address })
    return { chain_id: chainId, signer: request.address, text: request.text }
  },
}

const complete: Step<typeof SIGNED> = {
  members: SIGNED,
  run: async (context, attempt, body) => {
    const { chain_id: chainId, address, pub_key: key, signature } = body
    const claimed = await completeClaim(context, attempt, {
      signer: { chainId, address },
      signed: { publicKey: key.value, signature },
    })
    return {
      status: 'claimed',
      registration_id: claimed.registrationId,
      chain_id: claimed.chainId,
      address: claimed.address,
    }
  },
}

const deny: Step<typeof ATTEMPT> = {
  members: ATTEMPT,
  run: async (context, attempt) => {
    await denyClaim(context, attempt)
    return { status: 'denied', registration_id: attempt.registrationId }
  },
}

const createStep = <Members extends TProperties>(
  context: AuthContext,
  name: string,
  { members, run }: Step<Members>,
): Route => {
  const check = Compile(Type.Object(members))
  const expected = `a JSON object with ${Object.keys(members).join(', ')}`
  const answer = async (request: Request) => {
    requireOwnOrigin(request, context)
    takeQuota(context.limits.claimPage, request)
    const body = readJson(request, check, expected) as Static<TObject<Members>>
    const { claim_attempt_token: token } = body as Static<TObject<typeof ATTEMPT>>
    return run(context, await findAttempt(context, token), body)
  }
  return createEndpoint(`${PATHS.delegation}/${name}`, answer, { cors: OWN_PAGES_ONLY })
}

/** What stands above each page of the demo chain. */
export function getDemoNotice({ config }: AuthContext): string | undefined {
  const isDemo = config.walletChains.some(({ chainId }) => isDemoChain(chainId))
  return isDemo ? DEMO_NOTE : undefined
}

export const createDelegationRoutes = (context: AuthContext): Route[] => [
  {
    path: PATHS.delegation,
    cors: OWN_PAGES_ONLY,
    credentials: 'own',
    handlers: {
      GET: (_request, reply) =>
        reply
          .headers(PAGE_HEADERS)
          .type('text/html; charset=utf-8')
          .send(delegationPage(context.service().urls.delegation, getDemoNotice(context))),
    },
  },
  ...PAGE_FILES.map(({ name, mediaType, text }) =>
    createDocument({
      path: `${PATHS.delegation}/${name}`,
      mediaType,
      // Asked for again each time: a page must not run with the script of another version.
      cacheControl: 'no-cache',
      write: () => text,
      cors: OWN_PAGES_ONLY,
    }),
  ),
  createStep(context, 'attempt', showAttempt),
  createStep(context, 'text', showText),
  createStep(context, 'complete', complete),
  createStep(context, 'deny', deny),
]
