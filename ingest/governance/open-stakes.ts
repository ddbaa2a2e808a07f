// The last reported delegations of every voter with a ballot on an open proposal. Reads no store.

import type { Delegation } from '../contract/delegation.ts'
import { type EventOf, type GovernanceEvent, stakeChangesIn } from '../contract/events.ts'
import { READ_LATER } from '../contract/read-later.ts'
import type { KnownVoters } from '../tally-rules/applied-rule.ts'

/** Undefined if they are unknown. */
export type DelegationsOf = (voter: string) => readonly Delegation[] | undefined

export type OpenStakes = {
  /** Stake with a ballot. */
  cast(stakes: readonly Stake[]): void
  /** Stake of voters who may have no ballot any more. */
  change(stakes: readonly Stake[]): void
  /** These voters have no ballot on an open proposal any more. */
  release(voters: readonly string[]): void
  delegationsOf: DelegationsOf
  /** Voters with a known delegation to one of the pools, by address. */
  votersOf(pools: ReadonlySet<string>): string[]
  voters: KnownVoters
  /** Voters whose delegations could not be read, by address; without those that are left to later heights. */
  unknownVoters(): string[]
  readLater(): ReadLater
}

/** Voters whose delegations the snapshot left to later heights, and how many it left. */
export type ReadLater = { voters: readonly string[]; total: number }

/** Null if a read failed, or if it is left to a later height. */
export type Stake = {
  voter: string
  delegations: readonly Delegation[] | null
  delegationsReason: string | null
}

/** Empty for a vote that counts nothing. */
export const castStakes = ({ data }: EventOf<'rollcall.vote.cast.v1'>): readonly Stake[] => {
  const { voter, counted, delegations, delegationsReason } = data
  return voter && counted ? [{ voter, delegations, delegationsReason }] : []
}

const stakesIn = (event: GovernanceEvent): readonly Stake[] => {
  if (event.type === 'rollcall.vote.cast.v1') return castStakes(event)
  return event.type === 'rollcall.stake.changed.v1' ? stakeChangesIn(event) : []
}

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
    for (const { voter, delegations } of stakesIn(event)) reported.set(voter, delegations)
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
  let leftToLater = 0
  /** One string per pool instead of one per delegation: there may be a million delegations. */
  const operators = new Map<string, string>()

  const shared = (operatorAddress: string): string => {
    const known = operators.get(operatorAddress)
    if (known === undefined) operators.set(operatorAddress, operatorAddress)
    return known ?? operatorAddress
  }
  const remember = ({ voter, delegations, delegationsReason }: Stake): void => {
    if (delegationsReason !== READ_LATER) unread.delete(voter)
    else if (!unread.has(voter)) {
      unread.add(voter)
      leftToLater += 1
    }
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
    cast: (all) => {
      for (const stake of all) remember(stake)
    },
    change: (all) => {
      // A close in the same height may have ended the voter's last ballot.
      for (const stake of all) if (stakes.has(stake.voter)) remember(stake)
    },
    release: (voters) => {
      for (const voter of voters) {
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
    readLater: () => ({ voters: [...unread], total: leftToLater }),
  }
}
