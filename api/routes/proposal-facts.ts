// What stands behind one proposal: its ballots, its events, the evidence of its tally. Followed by cursor only.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createListForm } from '../formats/list-formats.ts'
import { BALLOTS_POSITION, ballotsScope, createBallotsReader } from '../page-kinds/ballots.ts'
import { createEventsReader, EVENTS_POSITION, eventsScope } from '../page-kinds/events.ts'
import { createEvidenceReader, EVIDENCE_POSITION, evidenceScope } from '../page-kinds/evidence.ts'
import { followed } from '../pages/page-kind.ts'
import { decodeCursor } from '../request/cursor.ts'
import { type ParameterName, type Query, readQuery } from '../request/parameters.ts'
import { canonical } from './canonical-id.ts'
import { addPageRoutes, type PageRequest, type PageRoutes, type Wish } from './page-routes.ts'

type Asked = FastifyRequest<{ Params: { proposalId: string } }>

/** The vote that is asked about. */
const readVote = <Name extends ParameterName>(request: PageRequest, allowed: readonly Name[]) => {
  const at = canonical((request as Asked).params.proposalId, request.url)
  const query = readQuery<ParameterName>(request.query as Query, allowed)
  const round = query.round === undefined ? undefined : Number(query.round)
  return { at, round, cursor: query.cursor }
}

const createWishes = ({ store, baseUrl, rounds }: PageRoutes) => {
  const ballots = createBallotsReader(store, baseUrl, rounds)
  const events = createEventsReader(store, baseUrl)
  const evidence = createEvidenceReader(store, baseUrl, rounds)
  return {
    listProposalBallots: (request: PageRequest): Wish => {
      const { at, round, cursor } = readVote(request, ['cursor', 'round'])
      if ('location' in at) return at
      const vote = { proposalId: at.id, round }
      const from = cursor ? decodeCursor(cursor, ballotsScope(vote), BALLOTS_POSITION) : undefined
      return { kind: followed(ballots({ ...vote, rank: Number(from?.at ?? 0) }), from) }
    },
    listProposalEvents: (request: PageRequest): Wish => {
      const { at, cursor } = readVote(request, ['cursor'])
      if ('location' in at) return at
      const from = cursor ? decodeCursor(cursor, eventsScope(at.id), EVENTS_POSITION) : undefined
      return { kind: followed(events({ proposalId: at.id, from: from?.at ?? '0' }), from) }
    },
    listProposalEvidence: (request: PageRequest): Wish => {
      const { at, round, cursor } = readVote(request, ['cursor', 'round'])
      if ('location' in at) return at
      const vote = { proposalId: at.id, round }
      const from = cursor ? decodeCursor(cursor, evidenceScope(vote), EVIDENCE_POSITION) : undefined
      return { kind: followed(evidence({ ...vote, start: from?.at ?? null }), from) }
    },
  }
}

export const addProposalFactRoutes = (app: FastifyInstance, options: PageRoutes): void => {
  const wishes = createWishes(options)
  const path = (list: string) => `/api/proposals/:proposalId/${list}`
  addPageRoutes(app, options, {
    listProposalBallots: {
      path: path('ballots'),
      wish: wishes.listProposalBallots,
      form: createListForm('listProposalBallots'),
    },
    listProposalEvents: {
      path: path('events'),
      wish: wishes.listProposalEvents,
      form: createListForm('listProposalEvents'),
    },
    listProposalEvidence: {
      path: path('evidence'),
      wish: wishes.listProposalEvidence,
      form: createListForm('listProposalEvidence'),
    },
  })
}
