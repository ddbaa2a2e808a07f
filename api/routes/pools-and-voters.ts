// Pools, and the records of one pool or one voter over all proposals.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readAddress } from '../address.ts'
import { decodeCursor } from '../cursor.ts'
import { createPoolRecord } from '../page-kinds/pool-record.ts'
import { createPoolsReader, POOLS_POSITION, POOLS_SCOPE } from '../page-kinds/pools.ts'
import { RECORD_POSITION, recordsScope } from '../page-kinds/records.ts'
import { createVoterRecord } from '../page-kinds/voter-record.ts'
import { pageNumber, type Query, readQuery } from '../parameters.ts'
import { addPageRoutes, type PageRoutes, type Wish } from './page-routes.ts'

type OfPool = FastifyRequest<{ Params: { operatorAddress: string } }>
type OfVoter = FastifyRequest<{ Params: { address: string } }>

/** A page by number, or what follows a position of this list. */
const readStart = (request: FastifyRequest, list: { scope: string; position: RegExp }) => {
  const query = readQuery(request.query as Query, ['page', 'cursor'])
  return query.cursor === undefined
    ? { page: pageNumber(query.page) }
    : { after: decodeCursor(query.cursor, list.scope, list.position).at }
}

const createWishes = ({ store, baseUrl }: PageRoutes) => {
  const pools = createPoolsReader(store, baseUrl)
  const poolRecord = createPoolRecord(store, baseUrl)
  const voterRecord = createVoterRecord(store, baseUrl)
  return {
    listPools: (request: FastifyRequest): Wish => ({
      kind: pools(readStart(request, { scope: POOLS_SCOPE, position: POOLS_POSITION })),
    }),
    listPoolVotes: (request: FastifyRequest): Wish => {
      const { operatorAddress } = (request as OfPool).params
      const owner = readAddress(operatorAddress, 'operatorAddress', 'cosmosvaloper1…')
      const scope = recordsScope('pool-votes', owner)
      const start = readStart(request, { scope, position: RECORD_POSITION })
      return { kind: poolRecord({ owner, start }) }
    },
    listVoterVotes: (request: FastifyRequest): Wish => {
      const { address } = (request as OfVoter).params
      const owner = readAddress(address, 'address', 'cosmos1…')
      const scope = recordsScope('voter-votes', owner)
      const start = readStart(request, { scope, position: RECORD_POSITION })
      return { kind: voterRecord({ owner, start }) }
    },
  }
}

export const addPoolAndVoterRoutes = (app: FastifyInstance, options: PageRoutes): void => {
  const { listPools, listPoolVotes, listVoterVotes } = createWishes(options)
  addPageRoutes(app, options, {
    listPools: { path: '/api/pools', wish: listPools },
    listPoolVotes: { path: '/api/pools/:operatorAddress/votes', wish: listPoolVotes },
    listVoterVotes: { path: '/api/voters/:address/votes', wish: listVoterVotes },
  })
}
