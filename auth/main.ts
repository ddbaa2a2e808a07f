// Starts the package on an open log: keys, state, routes and the check of bearer tokens.
// Listens by itself only as a separate process.
import type { FastifyInstance } from 'fastify'
import { createRateLimiter } from '../infra/base/http/limits/rate-limit.ts'
import type { Readiness } from '../infra/base/http/operators.ts'
import { addRoutes, type Edge, type Route } from '../infra/base/http/routes.ts'
import { createHttpServer, type Listening, listen } from '../infra/base/http/server.ts'
import type { EventLog } from '../infra/base/log/event-log.ts'
import { type Clock, systemClock } from '../infra/base/runtime/clock.ts'
import { AppError } from '../infra/base/runtime/errors.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { Metrics } from '../infra/base/runtime/metrics.ts'
import { listeningUrl } from '../infra/base/runtime/ports.ts'
import { type AgentFacts, followAgentFacts } from './agents/agent-facts.ts'
import { createAuthMetrics } from './auth-metrics.ts'
import { type AuthConfig, loginLifeMs, longestLifeMs } from './config.ts'
import { type AuthContext, createLimits } from './context.ts'
import { basePath, describeService, type ServiceDescription } from './contract/service.ts'
import { guardedFetch } from './issuers/guarded-fetch.ts'
import { createIdJagVerifier } from './issuers/id-jag.ts'
import { createIssuerKeys, fetchKeySet, type IssuerKeys } from './issuers/issuer-keys.ts'
import { addFirstKey, createKeyDirectory, readKeysText } from './keys/key-files.ts'
import { createKeyRing, createRemoteRing, type KeyRing } from './keys/key-ring.ts'
import { createKeySetCache } from './keys/key-sets.ts'
import { createClients, MAX_DOCUMENT_BYTES } from './logins/clients.ts'
import { createClaimRoute } from './routes/claim.ts'
import { createDelegationRoutes } from './routes/delegation.ts'
import { createDocuments } from './routes/documents.ts'
import { createIdentityRoute } from './routes/identity.ts'
import { createLoginRoutes } from './routes/login.ts'
import { createRevokeRoute } from './routes/revoke.ts'
import { createAuthEdge } from './routes/route.ts'
import { createTokenRoute } from './routes/token.ts'
import { type BearerVerifier, createBearerVerifier } from './tokens/bearer.ts'
import { createTokens } from './tokens/tokens.ts'

export type AuthOptions = {
  config: AuthConfig
  log: EventLog
  /** The directory of keys that are not in the configuration. */
  keysPath: string
  /** Without a trailing slash; by default the address on which the application of `plugin` listens. */
  baseUrl: string | undefined
  logger: Logger
  metrics: Metrics
  clock?: Clock
  /** False for a process that only checks tokens: it creates no keys. */
  makesKeys?: boolean
}

export type Auth = {
  edge: Edge
  /** To be registered with an application of `createHttpServer`. */
  plugin: (app: FastifyInstance) => Promise<void>
  verifyBearer: BearerVerifier
  /** Fetches the keys of all trusted issuers, so that a mistake in the settings is logged at the start. */
  fetchIssuerKeys(): Promise<void>
  ready(): Readiness
  close(): Promise<void>
}

const openRing = async (options: AuthOptions, clock: Clock): Promise<KeyRing> => {
  const { config, keysPath, logger, makesKeys = true } = options
  const ring = { clock, logger, overlapMs: loginLifeMs(config) }
  if (config.signingKeys !== undefined) {
    const generations = await readKeysText('AUTH_KEYS', config.signingKeys)
    return createKeyRing({ ...ring, load: async () => generations })
  }
  const { jwksUrl } = config
  if (jwksUrl !== undefined && !makesKeys) {
    const fetchJson = (url: string) =>
      guardedFetch(url, { allowLoopback: true, allowPrivate: true })
    const cache = createKeySetCache({
      fetchKeys: () => fetchKeySet(jwksUrl, fetchJson),
      clock,
      onFailure: ({ reason }) => logger.warn({ reason }, 'failed to read the public keys of auth'),
    })
    return createRemoteRing(cache, clock)
  }
  const directory = createKeyDirectory(keysPath)
  const nowMs = clock.now()
  if ((await directory.load()).length === 0 && makesKeys) {
    const made = await addFirstKey(keysPath, nowMs)
    if (made) logger.info({ kid: made.kid }, 'created the first signing key')
  }
  return createKeyRing({ ...ring, load: directory.load })
}

/** The public URL: the configured one, else the listening address. */
const createServiceResolver = (baseUrl: string | undefined) => {
  let app: FastifyInstance | undefined
  let known = baseUrl === undefined ? undefined : describeService(baseUrl)
  return {
    setApp: (application: FastifyInstance) => {
      app = application
    },
    service: (): ServiceDescription => {
      if (known) return known
      const url = app && listeningUrl(app.server)
      if (url === undefined) {
        throw new AppError('CONFIG_INVALID', 'BASE_URL is not set, and nothing listens yet')
      }
      known = describeService(url)
      return known
    },
  }
}

type Parts = { options: AuthOptions; clock: Clock; facts: AgentFacts; ring: KeyRing }

const createContext = (
  { options: { config, baseUrl, metrics }, clock, facts, ring }: Parts,
  keys: IssuerKeys,
  service: () => ServiceDescription,
): AuthContext => {
  const tokens = createTokens({ ring, clock, issuer: () => service().issuer, lifetimes: config })
  const fetchDocument = (url: string) =>
    guardedFetch(url, { allowLoopback: config.allowLoopbackIssuers, maxBytes: MAX_DOCUMENT_BYTES })
  return {
    config,
    clock,
    service,
    basePath: baseUrl === undefined ? '' : basePath(baseUrl),
    ring,
    facts,
    tokens,
    clients: createClients({ tokens, clock, fetchJson: fetchDocument }),
    idJag: createIdJagVerifier({ config, keys, clock, service }),
    metrics: createAuthMetrics(metrics, facts),
    limits: createLimits(config, clock),
  }
}

const createRoutes = (context: AuthContext): Route[] => [
  ...createDocuments(context),
  createIdentityRoute(context),
  createClaimRoute(context),
  ...createDelegationRoutes(context),
  ...createLoginRoutes(context),
  createTokenRoute(context),
  createRevokeRoute(context),
]

/** Takes ownership of the log and closes it at shutdown. */
export const startAuth = async (options: AuthOptions): Promise<Auth> => {
  const { config, logger, clock = systemClock } = options
  const ring = await openRing(options, clock)
  const facts = await followAgentFacts({
    log: options.log,
    clock,
    logger,
    keepMs: longestLifeMs(config),
    readMs: loginLifeMs(config),
  })
  const controller = new AbortController()
  const following = ring.follow(controller.signal)
  const serviceResolver = createServiceResolver(options.baseUrl)
  const { allowLoopbackIssuers: allowLoopback } = config
  const fetchJson = (url: string) => guardedFetch(url, { allowLoopback })
  const keys = createIssuerKeys({ issuers: config.trustedIssuers, fetchJson, clock, logger })
  const context = createContext({ options, clock, facts, ring }, keys, serviceResolver.service)
  const edge = createAuthEdge({ logger, onError: context.metrics.refused })
  return {
    edge,
    plugin: async (app) => {
      serviceResolver.setApp(app)
      addRoutes(app, edge, createRoutes(context))
    },
    verifyBearer: createBearerVerifier(context),
    fetchIssuerKeys: async () => {
      await Promise.all([...keys.values()].map((cache) => cache.find(undefined)))
    },
    ready: () => facts.ready(),
    close: async () => {
      controller.abort()
      await Promise.all([following, facts.close()])
    },
  }
}

export type AuthServiceOptions = {
  auth: Auth
  host: string
  port: number
  trustProxy: boolean | number
  maxConnectionsPerAddress: number
  rateLimitPerMinute: number
  logger: Logger
  clock?: Clock
}

/** As a service on its own port, behind a gateway. */
export const startAuthService = async (options: AuthServiceOptions): Promise<Listening> => {
  const { auth, trustProxy, rateLimitPerMinute, logger, clock = systemClock } = options
  const limiter = createRateLimiter(rateLimitPerMinute, () => clock.now())
  const app = createHttpServer({ trustProxy, edge: auth.edge, limiter, logger })
  await app.register(auth.plugin)
  const listening = await listen(app, options)
  logger.info({ url: listening.url }, 'started auth')
  return listening
}
