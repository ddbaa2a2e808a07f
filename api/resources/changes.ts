// `GET /api/stream`: the definition of the stream of changes for documents. `stream/` serves it.
import { type Operation, withReadProblems } from './operation.ts'
import { VOTERS_PARAMETER } from './parameters.ts'

const PATH = '/api/stream'

export const changes: Operation<typeof PATH, 'proposalId' | 'pool' | 'voter'> = {
  operationId: 'streamChanges',
  path: PATH,
  tag: 'Service',
  summary: 'Stream changes of proposals',
  guide: 'changes of proposals as server-sent events',
  description:
    'Server-sent events. An event `proposal` means that the proposal has changed: read it again. Its `data` is `{ proposalId, status, round, final, updatedAt: { height }, links: { self } }`; `round` is null if it is not known. An event `start` has the first `id`. An event `reset` means that the stream cannot resume: read the list of proposals again. To resume after an interruption, send the last `id` as `Last-Event-ID` to any instance. ' +
    'With `pool` or `voter` the events are those of these accounts, and of no proposal. `vote` has the votes that they cast on one proposal in one block. `last_day` has those that had not voted when the vote entered its last day. That is the block time 24 hours before its scheduled end, or the beginning of a shorter vote. `voted` is false, or null with `votedReason` if it is not known. A resumed stream neither repeats nor misses it, also if they have voted since.',
  queryParameters: ['proposalId', 'pool', 'voter'],
  parameters: VOTERS_PARAMETER,
  requestHeaders: [
    {
      name: 'Last-Event-ID',
      description:
        'The `id` of the last event that the client received: the stream continues after it',
      schema: { type: 'string', maxLength: 200 },
    },
  ],
  answer: null,
  problems: withReadProblems(PATH, ['too-many-streams', 'streams-exhausted', 'pool-not-found']),
  kind: 'stream',
}
