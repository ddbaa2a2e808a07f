// A chain with an open vote whose live tally is compared with that of the node, and what ingest writes of it.

import type { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { submitTx, voteTx } from '../../../infra/app/chain/gov-events.ts'
import { type ChainState, proposalAt } from '../../../infra/app/chain/state/chain-state.ts'
import { toTallyResult } from '../../../infra/app/chain/state/node-tally.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { recordingLogger } from '../process/log-lines.ts'
import { ingestToTip, ofType } from './ingest-run.ts'
import { createMemoryChain } from './memory-chain.ts'

type Change = (state: ChainState) => void

const TALLY_RESULT = /\/TallyResult$/
/** Five blocks of six seconds are one period of reads. */
export const PERIOD = 5

/** A vote with a ballot of an operator (yes) and one of a delegator (no). */
export const createVote = (change: Change = () => {}) => {
  const chain = createMemoryChain()
  chain.add({ txs: [submitTx('1')] }, (state) => {
    state.proposals.set('1', proposalAt('1', 1, 2))
    change(state)
  })
  chain.add({ txs: [voteTx('1', 'one'), voteTx('1', 'alice', 3)] })
  return chain
}
export type VoteChain = ReturnType<typeof createVote>
export const addQuiet = (chain: VoteChain, heights: number, change?: Change): void => {
  for (let left = heights; left > 0; left--) chain.add({}, left === heights ? change : undefined)
}

const observedIn = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.tally.observed.v1')

export const ingested = async (chain: VoteChain, log = openMemoryLog()) => {
  const { logger, lines } = recordingLogger()
  const events = await ingestToTip(chain, log, { logger })
  return {
    events,
    observed: observedIn(events),
    asked: chain.queries.filter(({ path }) => TALLY_RESULT.test(path)).map(({ height }) => height),
    alerts: lines.filter(({ level }) => level === 'error'),
    rules: ofType(events, 'rollcall.params.observed.v1').map(({ height, data }) => [
      height,
      data.strategy ?? 'inherit',
    ]),
  }
}

/** The tally of the node, in place of that of the state. */
export const reports =
  (...tallies: readonly (readonly [id: string, tally: TallyResult])[]): Change =>
  (state) => {
    state.liveTallies = new Map(tallies)
  }

export const counts = (yes: string, no = '0') => ({ yes, abstain: '0', no, noWithVeto: '0' })
export const nodeCounts = (yes: string, no = '0'): TallyResult => toTallyResult({ yes, no })
