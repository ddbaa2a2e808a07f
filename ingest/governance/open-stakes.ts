// The last reported delegations of every voter with a ballot on an open proposal. Reads no store.

import type { Delegation } from '../contract/delegation.ts'
import { type GovernanceEvent, stakeChangesIn } from '../contract/events.ts'
import { READ_LATER } from '../contract/read-later.ts'
import type { KnownVoters } from '../tally-rules/applied-rule.ts'

/** Undefined if they are unknown. */
export type DelegationsOf = (voter: string) => readonly Delegation[] | undefined

export type OpenStakes = {
  /** `releasedVoters` have no ballot on an open proposal after the event. */
  apply(event: GovernanceEvent, releasedVoters: readonly string[]): void
  delegationsOf: DelegationsOf
  /** Voters with a known delegation to one of the pools, by address. */
  votersOf(pools: ReadonlySet<string>): string[]
  voters: KnownVoters
  /** Voters whose delegations could not be read, by address; without those that are left to later heights. */
  unknownVoters(): string[]
}

/** Null if a read failed, or if it is left to a later height. */
type Stake = {
  voter: string
  delegations: readonly Delegation[] | null
  delegationsReason: string | null
}

const readStakes = (event: GovernanceEvent): readonly Stake[] => {
  if (event.type === 'rollcall.chain.snapshot.v1') return event.data.votes
  if (event.type !== 'rollcall.vote.cast.v1') return []
  const { voter, counted, delegations, delegationsReason } = event.data
  return voter && counted ? [{ voter, delegations, delegationsReason }] : []
}

const changedStakes = (event: GovernanceEvent): readonly Stake[] =>
  event.type === 'rollcall.stake.changed.v1' ? stakeChangesIn(event) : []

/**
 * The delegations for the tallies of a height: the known ones, replaced by those in the height's own
 * `events`. Call before these events are applied: an earlier close of the height may release a voter that a
 * later close needs.
 */
export const delegationsAtTally = (
  stakes: Pick<OpenStakes, 'delegationsOf'>,
  events: readonly GovernanceEvent[],
): DelegationsOf => {
  const reported = new Map<string, readonly Delegation[] | null>()
  for (const event of events) {
    for (const { voter, delegations } of [...readStakes(event), ...changedStakes(event)]) {
      reported.set(voter, delegations)
    }
  }
  return (voter) => {
    const delegations = reported.get(voter)
    return delegations === undefined ? stakes.delegationsOf(voter) : (delegations ?? undefined)
  }
}

export const createOpenStakes = (): OpenStakes => {
  /** A key for every voter with a ballot on an open proposal; null if the delegations are unknown. */
  const stakes = new Map<string, readonly Delegation[] | null>()
  /** Those that are left to later heights. */
  const unread = new Set<string>()
  /** One string per pool instead of one per delegation: there may be a million delegations. */
  const operators = new Map<string, string>()

  const shared = (operatorAddress: string): string => {
    const known = operators.get(operatorAddress)
    if (known === undefined) operators.set(operatorAddress, operatorAddress)
    return known ?? operatorAddress
  }
  const remember = ({ voter, delegations, delegationsReason }: Stake): void => {
    if (delegationsReason === READ_LATER) unread.add(voter)
    else unread.delete(voter)
    const kept = delegations?.map((delegation) => ({
      ...delegation,
      operatorAddress: shared(delegation.operatorAddress),
    }))
    stakes.set(voter, kept ?? null)
  }
  const withStake: KnownVoters['withStake'] = (matches) =>
    [...stakes]
      .flatMap(([voter, delegations]) =>
        delegations?.some((each) => matches(each, voter)) ? [voter] : [],
      )
      .sort()
  return {
    apply: (event, releasedVoters) => {
      for (const stake of readStakes(event)) remember(stake)
      // A close in the same height may have ended the voter's last ballot.
      for (const stake of changedStakes(event)) if (stakes.has(stake.voter)) remember(stake)
      for (const voter of releasedVoters) {
        stakes.delete(voter)
        unread.delete(voter)
      }
    },
    delegationsOf: (voter) => stakes.get(voter) ?? undefined,
    votersOf: (pools) => withStake(({ operatorAddress }) => pools.has(operatorAddress)),
    voters: { all: () => [...stakes.keys()].sort(), withStake },
    unknownVoters: () =>
      [...stakes]
        .flatMap(([voter, delegations]) => (delegations || unread.has(voter) ? [] : [voter]))
        .sort(),
  }
}
