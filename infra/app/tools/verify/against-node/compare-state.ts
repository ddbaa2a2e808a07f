// Compares state in the log with the state of the chain at the same height, if the node still has it.
import { isDeepStrictEqual } from 'node:util'
import { type Answer, isKnown } from '../../../../../ingest/chain/answer.ts'
import type { StateAt } from '../../../../../ingest/chain/state-at.ts'
import { type EventOf, stakeChangesIn } from '../../../../../ingest/contract/events.ts'
import type { Logged } from './compare-facts.ts'
import type { Findings } from './findings.ts'

type Part<Value> = { name: string; inLog: Value | null; onChain: Answer<Value> }

const comparePart = <Value>(
  { offset, event }: Logged,
  { name, inLog, onChain }: Part<Value>,
  findings: Findings,
): void => {
  const { id, type, height } = event
  if (!isKnown(onChain)) findings.skip(`${type}: ${name}`, onChain.unavailable, height)
  else if (inLog === null) findings.skip(`${type}: ${name}`, 'the log has none', height)
  else if (isDeepStrictEqual(inLog, onChain.value)) findings.compared.parts++
  else findings.report('differs', { offset, height }, `${id}: ${name} differs from the chain`)
}

const comparePools = async (
  logged: Logged<EventOf<'rollcall.pools.observed.v1'>>,
  state: StateAt,
  findings: Findings,
): Promise<void> => {
  const { pools, bondedTokens } = logged.event.data
  const [all, bonded] = await Promise.all([state.pools(), state.bondedTokens()])
  const byOperator = new Map(
    isKnown(all) ? all.value.map((pool) => [pool.operatorAddress, pool]) : [],
  )
  for (const inLog of pools) {
    const { operatorAddress: name } = inLog
    const pool = byOperator.get(name)
    const onChain = isKnown(all) ? (pool ? { value: pool } : { value: null }) : all
    comparePart(logged, { name: `pool ${name}`, inLog, onChain }, findings)
  }
  comparePart(logged, { name: 'bondedTokens', inLog: bondedTokens, onChain: bonded }, findings)
}

/** Ignores facts from the events of the block, which `compareFacts` compares. */
export const compareState = async (
  logged: Logged,
  state: StateAt,
  findings: Findings,
): Promise<void> => {
  const { offset, event } = logged
  switch (event.type) {
    case 'rollcall.pools.observed.v1':
      await comparePools({ offset, event }, state, findings)
      break
    case 'rollcall.params.observed.v1': {
      const onChain = await state.params()
      comparePart(logged, { name: 'params', inLog: event.data.params, onChain }, findings)
      break
    }
    case 'rollcall.stake.changed.v1': {
      for (const { voter, delegations: inLog } of stakeChangesIn(event)) {
        const onChain = await state.delegations(voter)
        comparePart(logged, { name: `delegations of ${voter}`, inLog, onChain }, findings)
      }
      break
    }
    case 'rollcall.tally.observed.v1': {
      const { proposalId, counts: inLog } = event.data
      const onChain = await state.tally(proposalId)
      comparePart(logged, { name: `tally of proposal ${proposalId}`, inLog, onChain }, findings)
      break
    }
    case 'rollcall.chain.snapshot.v1':
      findings.skip(event.type, 'it contains all state before the log', event.height)
      return
    case 'rollcall.schema.observed.v1':
      findings.skip(event.type, 'the files belong to the software of that time', event.height)
      return
    case 'rollcall.light-block.observed.v1':
    case 'rollcall.validators.observed.v1':
      findings.skip(event.type, 'signatures verify it, not the node', event.height)
      return
    default:
      return
  }
  findings.compared.events++
}
