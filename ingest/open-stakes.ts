// The delegations of everybody with a ballot on an open proposal, as the log last told them. Never reads a store.
import { type GovernanceEvent, stakeChangesIn } from './contract/events.ts'
import type { Delegation } from './contract/facts.ts'
import { createOpenProposals } from './open-proposals.ts'

export type OpenStakes = {
  /** Takes in what an event says of delegations; `settle` must follow for the same event. */
  learn(event: GovernanceEvent): void
  /** Forgets those whose last ballot the event voids. Until then a close finds all it needs. */
  settle(event: GovernanceEvent): void
  /** Undefined where they are not known. */
  delegationsOf(voter: string): readonly Delegation[] | undefined
  /** Known to delegate to one of the pools, in order of their addresses. */
  votersOf(pools: ReadonlySet<string>): string[]
}

export const createOpenStakes = (): OpenStakes => {
  const open = createOpenProposals()
  const stakes = new Map<string, readonly Delegation[]>()
  /** One string per pool, not one per delegation: there may be a million of those. */
  const operators = new Map<string, string>()

  const shared = (operatorAddress: string): string => {
    const known = operators.get(operatorAddress)
    if (known === undefined) operators.set(operatorAddress, operatorAddress)
    return known ?? operatorAddress
  }
  const remember = (voter: string, delegations: readonly Delegation[] | null) => {
    if (delegations === null) return void stakes.delete(voter)
    const kept = delegations.map(({ operatorAddress, shares }) => ({
      operatorAddress: shared(operatorAddress),
      shares,
    }))
    stakes.set(voter, kept)
  }
  const learn = (event: GovernanceEvent) => {
    switch (event.type) {
      case 'rollcall.chain.snapshot.v1':
        for (const { voter, delegations } of event.data.votes) remember(voter, delegations)
        break
      case 'rollcall.vote.cast.v1': {
        const { voter, counted, delegations } = event.data
        if (voter !== null && counted) remember(voter, delegations)
        break
      }
      case 'rollcall.stake.changed.v1':
        // A close of this height may have voided the voter's last ballot.
        for (const { voter, delegations } of stakeChangesIn(event)) {
          if (open.hasBallot(voter)) remember(voter, delegations)
        }
        break
      default:
    }
  }
  const settle = (event: GovernanceEvent) => {
    const ended = open.applyEvent(event)
    for (const voter of ended?.ballots.keys() ?? []) {
      if (!open.hasBallot(voter)) stakes.delete(voter)
    }
  }
  return {
    learn,
    settle,
    delegationsOf: (voter) => stakes.get(voter),
    votersOf: (pools) =>
      [...stakes]
        .filter(([, held]) => held.some(({ operatorAddress }) => pools.has(operatorAddress)))
        .map(([voter]) => voter)
        .sort(),
  }
}
