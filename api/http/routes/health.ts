// `GET /api/health`: the status is 200 while the process runs.
import { NO_STORE } from '../../../infra/base/http/headers.ts'
import type { Route } from '../../../infra/base/http/routes.ts'
import { JSON_MEDIA_TYPE } from '../../formats/rows.ts'
import { createHealth, health } from '../../resources/health.ts'
import type { Service } from '../service.ts'

export const createHealthRoute = (options: Service): Route => ({
  path: health.path,
  operation: health.operationId,
  handlers: {
    GET: (_request, reply) =>
      reply
        .headers({ ...NO_STORE, 'content-type': JSON_MEDIA_TYPE })
        .send(JSON.stringify(createHealth(options))),
  },
})
