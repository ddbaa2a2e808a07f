// `GET /api/stream`: what documents say about the stream of changes. It is served by `stream/`.
import type { Operation } from './operation.ts'
import { READ_PROBLEMS, STORE_PROBLEMS } from './operation.ts'

export const changes: Operation<never, 'proposalId'> = {
  operationId: 'streamChanges',
  path: '/api/stream',
  tag: 'Service',
  summary: 'Be told what changes',
  description:
    'Server-sent events. `proposal`: it changed, so that what was read of it is old; `data` is `{ proposalId, status, round (null where not known), final, updatedAt: { height }, links: { self } }`. `start`: the first place, to come back to. `reset`: what was missed cannot be told, read the list anew. After a break, `Last-Event-ID` goes on from where it was, at any instance.',
  pathParameters: [],
  queryParameters: ['proposalId'],
  answer: null,
  problems: [...READ_PROBLEMS, 'too-many-streams', 'streams-exhausted', ...STORE_PROBLEMS],
  kind: 'stream',
}
