// `GET /api/stream`: the definition of the stream of changes for documents. `stream/` serves it.
import type { Operation } from './operation.ts'
import { READ_PROBLEMS, STORE_PROBLEMS } from './operation.ts'

export const changes: Operation<never, 'proposalId'> = {
  operationId: 'streamChanges',
  path: '/api/stream',
  tag: 'Service',
  summary: 'Stream changes of proposals',
  description:
    'Server-sent events. An event `proposal` means that the proposal has changed: read it again. Its `data` is `{ proposalId, status, round, final, updatedAt: { height }, links: { self } }`; `round` is null if it is not known. An event `start` has the first `id`. An event `reset` means that the stream cannot resume: read the list of proposals again. To resume after an interruption, send the last `id` as `Last-Event-ID` to any instance.',
  pathParameters: [],
  queryParameters: ['proposalId'],
  answer: null,
  problems: [...READ_PROBLEMS, 'too-many-streams', 'streams-exhausted', ...STORE_PROBLEMS],
  kind: 'stream',
}
