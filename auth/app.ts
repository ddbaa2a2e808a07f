// The package as a Fastify plugin, with its own body parsers and error format; the surrounding application is not affected.
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../infra/base/runtime/logger.ts'
import { answerOtherMethods } from '../infra/base/runtime/other-methods.ts'
import { addBodyParsers } from './bodies.ts'
import type { AuthContext } from './context.ts'
import { addErrors } from './oauth-error.ts'
import { addClaimRoute } from './routes/claim.ts'
import { addDelegationRoutes } from './routes/delegation.ts'
import { addDocuments } from './routes/documents.ts'
import { addIdentityRoute } from './routes/identity.ts'
import { addRevokeRoute } from './routes/revoke.ts'
import { OTHER_METHODS } from './routes/route.ts'
import { addTokenRoute } from './routes/token.ts'

export const addAuthRoutes = (app: FastifyInstance, context: AuthContext, logger: Logger): void => {
  addBodyParsers(app)
  addErrors(app, { logger, onError: context.metrics.refused })
  answerOtherMethods(app, OTHER_METHODS, () => {
    addDocuments(app, context)
    addIdentityRoute(app, context)
    addClaimRoute(app, context)
    addDelegationRoutes(app, context)
    addTokenRoute(app, context)
    addRevokeRoute(app, context)
  })
}
