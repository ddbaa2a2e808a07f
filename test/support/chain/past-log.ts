// The same votes in two logs: indexed live, and in a log that begins after them, with their history.

import type { EventLog } from '../../../infra/base/log/event-log.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { createMemoryLogStorage, openMemoryLog } from '../log/memory-log.ts'
import { endEvent, voteTx } from '../simulator/gov-events.ts'
import { addAll, begin, close, withSecondRound } from './history-run.ts'
import { ingestToTip, ingestWhileGrowing, ofType } from './ingest-run.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'
import type { Step } from './vote-run.ts'

const COUNTS = { yes: '75', no: '60', noWithVeto: '490' }

/** Proposals that ended before `FIRST`: 1 in one round, 2 in two. */
export const ENDED = ['1', '2']
export const FIRST = 13
/** The open proposal, with a vote before `FIRST`. */
export const OPEN = '3'

const votesOn = (id: string) => [voteTx(id, 'alice'), voteTx(id, 'bob', 3), voteTx(id, 'one', 4)]

const withBob: Step = [
  {},
  ({ delegations }) => {
    delegations.set('bob', new Map([['one', 60n]]))
  },
]

const STEPS: readonly Step[] = [
  [{}],
  withBob,
  begin('1', { from: 3, until: 7 }),
  begin('2', { from: 4, until: 8, expedited: true }),
  [{ txs: [...votesOn('1'), ...votesOn('2')] }],
  [{}],
  close('1', COUNTS),
  [{ end: [endEvent('2', 'expedited_proposal_rejected')] }, withSecondRound('2', COUNTS, 11)],
  [{ txs: [voteTx('2', 'bob'), voteTx('2', 'three', 3)] }],
  begin(OPEN, { from: 10, until: 1_000 }),
  close('2', { yes: '60', no: '100' }),
  [{ txs: [voteTx(OPEN, 'alice')] }],
  [{}],
  [{}],
]

export const createPastChain = (): MemoryChain => addAll(createMemoryChain(), STEPS)

export type PastLog = { log: EventLog; events: GovernanceEvent[] }

export const indexLive = async (chain: MemoryChain): Promise<PastLog> => {
  const log = openMemoryLog()
  return { log, events: await ingestToTip(chain, log) }
}

/** From `FIRST` on, until each vote before it is recomputed or out of reach. */
export const indexPast = async (
  chain: MemoryChain,
  kind: 'closes' | 'votes' = 'closes',
): Promise<PastLog> => {
  const storage = createMemoryLogStorage()
  const events = await ingestWhileGrowing(chain, {
    env: { START_HEIGHT: `${FIRST}`, HISTORY: kind },
    storage,
    holds: (read) => {
      const history = ofType(read, 'rollcall.block.indexed.v1').at(-1)?.data.history
      return history !== undefined && history.done + history.unreachable === ENDED.length
    },
  })
  return { log: openMemoryLog(storage), events }
}
