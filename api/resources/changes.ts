// `GET /api/stream`: the definition of the stream of changes for documents. `stream/` serves it.
import { type Operation, withReadProblems } from './operation.ts'

const PATH = '/api/stream'

export const changes: Operation<typeof PATH, 'proposalId'> = {
  operationId: 'streamChanges',
  path: PATH,
  tag: 'Service',
  summary: 'Stream changes of proposals',
  guide: 'changes of proposals as server-sent events',
  description:
    'Server-sent events. An event `proposal` means that the proposal has changed: read it again. Its `data` is `{ proposalId, status, round, final, updatedAt: { height }, links: { self } }`; `round` is null if it is not known. An event `start` has the first `id`. An event `reset` means that the stream cannot resume: read the list of proposals again. To resume after an interruption, send the last `id` as `Last-Event-ID` to any instance.',
  queryParameters: ['proposalId'],
  requestHeaders: [
    {
      name: 'Last-Event-ID',
      description:
        'The `id` of the last event that the client received: the stream continues after it',
      schema: { type: 'string', maxLength: 200 },
    },
  ],
  answer: null,
  problems: withReadProblems(PATH, ['too-many-streams', 'streams-exhausted']),
  kind: 'stream',
}
