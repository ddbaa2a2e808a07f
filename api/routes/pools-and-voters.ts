// Pools, and the records of one pool or one voter over all proposals.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createListForm } from '../formats/list-formats.ts'
import { createPoolRecord } from '../page-kinds/pool-record.ts'
import { createPoolsReader, POOLS_POSITION, POOLS_SCOPE } from '../page-kinds/pools.ts'
import { RECORD_POSITION, recordsScope } from '../page-kinds/records.ts'
import { createVoterRecord } from '../page-kinds/voter-record.ts'
import { followed, type PageSources } from '../pages/page-kind.ts'
import { readAddress } from '../request/address.ts'
import { decodeCursor } from '../request/cursor.ts'
import { pageNumber, type Query, readQuery } from '../request/parameters.ts'
import { addPageRoutes, type PageRequest, type PageRoutes, type Wish } from './page-routes.ts'

type OfPool = FastifyRequest<{ Params: { operatorAddress: string } }>
type OfVoter = FastifyRequest<{ Params: { address: string } }>

/** A page by number, or what follows a position of this list. */
const readStart = (request: PageRequest, list: { scope: string; position: RegExp }) => {
  const query = readQuery(request.query as Query, ['page', 'cursor'])
  const cursor = query.cursor ? decodeCursor(query.cursor, list.scope, list.position) : undefined
  return { cursor, start: cursor ? { after: cursor.at } : { page: pageNumber(query.page) } }
}

export const createPoolAndVoterWishes = (sources: PageSources) => {
  const pools = createPoolsReader(sources)
  const poolRecord = createPoolRecord(sources)
  const voterRecord = createVoterRecord(sources)
  return {
    listPools: (request: PageRequest): Wish => {
      const list = { scope: POOLS_SCOPE, position: POOLS_POSITION }
      const { start, cursor } = readStart(request, list)
      return { kind: followed(pools(start), cursor) }
    },
    listPoolVotes: (request: PageRequest): Wish => {
      const { operatorAddress } = (request as OfPool).params
      const owner = readAddress(operatorAddress, 'operatorAddress', 'cosmosvaloper1…')
      const scope = recordsScope('pool-votes', owner)
      const { start, cursor } = readStart(request, { scope, position: RECORD_POSITION })
      return { kind: followed(poolRecord({ owner, start }), cursor) }
    },
    listVoterVotes: (request: PageRequest): Wish => {
      const { address } = (request as OfVoter).params
      const owner = readAddress(address, 'address', 'cosmos1…')
      const scope = recordsScope('voter-votes', owner)
      const { start, cursor } = readStart(request, { scope, position: RECORD_POSITION })
      return { kind: followed(voterRecord({ owner, start }), cursor) }
    },
  }
}

export const addPoolAndVoterRoutes = (app: FastifyInstance, options: PageRoutes): void => {
  const { listPools, listPoolVotes, listVoterVotes } = createPoolAndVoterWishes(options)
  addPageRoutes(app, options, {
    listPools: { path: '/api/pools', wish: listPools, form: createListForm('listPools') },
    listPoolVotes: {
      path: '/api/pools/:operatorAddress/votes',
      wish: listPoolVotes,
      form: createListForm('listPoolVotes'),
    },
    listVoterVotes: {
      path: '/api/voters/:address/votes',
      wish: listVoterVotes,
      form: createListForm('listVoterVotes'),
    },
  })
}
