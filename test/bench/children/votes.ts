// Fills one open proposal with ballots in its own process, then measures the time of further votes.
// It measures the fold with its rows, and the open proposals of ingest.
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { createGovernance, evolve } from '../../../ingest/governance/governance.ts'
import { eventPosition } from '../../../projections/fold/event-position.ts'
import { createGovernanceFold } from '../../../projections/fold/governance-fold.ts'
import type { FoldRecord } from '../../../projections/fold/record.ts'
import {
  createHeight,
  createPool,
  createProposalState,
  createRandom,
  FIRST_HEIGHT,
  PARAMS,
} from '../../support/chain/synthetic-parts.ts'
import { takeOrders } from './orders.ts'

/** `renewAfter`: votes after which a proposal is filled again, so that the measurement does not enlarge it. */
type Parameters = { kind: keyof typeof holders; ballots: number; renewAfter: number }
type Holder = { take(events: readonly GovernanceEvent[]): void; size(): number }
type Vote = { holder: Holder; height: number; voters: number }

const VOTES_PER_HEIGHT = 100
const HEIGHTS_PER_FILLING = 20
const POOLS = 150
const OPTIONS = ['yes', 'yes', 'no', 'abstain'] as const
const NO_BYTES = new Uint8Array()

const random = createRandom(11)
const pools = Array.from({ length: POOLS }, (_, number) => createPool(number, random))

const toFoldRecord = (event: GovernanceEvent): FoldRecord => ({
  offset: BigInt(event.height) * 1_000n,
  height: event.height,
  timeMs: Date.parse(event.time),
  value: NO_BYTES,
  text: '',
  decoded: { ok: true, event },
  at: eventPosition(event),
})

const holders = {
  /** One commit per height: rows are taken out, as for the store. */
  projections: (): Holder => {
    const fold = createGovernanceFold()
    let ballots = 0
    return {
      take: (events) => {
        fold.apply(events.map(toFoldRecord))
        ballots += fold.drain().ballots.length
      },
      size: () => ballots,
    }
  },
  ingest: (): Holder => {
    const { logged } = createGovernance()
    return {
      take: (events) => {
        for (const event of events) evolve(logged, event)
      },
      size: () => logged.stakes.votersOf(new Set(pools.map((pool) => pool.operatorAddress))).length,
    }
  },
}

const beginning = (): GovernanceEvent[] => {
  const { add, events } = createHeight(FIRST_HEIGHT)
  const proposal = createProposalState(1, FIRST_HEIGHT, 'voting_period')
  const about = { proposalId: '1', proposal, proposalReason: null, txHash: null }
  add('rollcall.pools.observed.v1', {
    chunk: 0,
    chunks: 1,
    full: true,
    pools,
    unavailableReason: null,
    bondedTokens: pools.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n).toString(),
  })
  add('rollcall.params.observed.v1', { params: PARAMS, unavailableReason: null })
  add('rollcall.proposal.submitted.v1', { ...about, messages: [] })
  add('rollcall.voting.started.v1', about)
  return events
}

/** A height of votes by voters without a ballot. Addresses need no checksum, because no code here reads it. */
const nextVotes = (vote: Vote): GovernanceEvent[] => {
  const { add, events } = createHeight(++vote.height)
  for (let index = 0; index < VOTES_PER_HEIGHT; index++) {
    const number = vote.voters++
    const first = random(POOLS)
    add('rollcall.vote.cast.v1', {
      proposalId: '1',
      round: 1,
      voterReason: null,
      counted: true,
      delegationsReason: null,
      voter: `cosmos1voter${number}`,
      options: [{ option: OPTIONS[number % OPTIONS.length]!, weight: '1.000000000000000000' }],
      txHash: null,
      delegations: [first, (first + 7) % POOLS].map((pool) => ({
        operatorAddress: pools[pool]!.operatorAddress,
        shares: `${1 + random(10_000)}.000000000000000000`,
      })),
    })
  }
  return events
}

const fill = ({ kind, ballots }: Parameters): Vote => {
  const vote = { holder: holders[kind](), height: FIRST_HEIGHT, voters: 0 }
  vote.holder.take(beginning())
  while (vote.voters < ballots) {
    const events: GovernanceEvent[] = []
    for (let height = 0; height < HEIGHTS_PER_FILLING && vote.voters < ballots; height++) {
      events.push(...nextVotes(vote))
    }
    vote.holder.take(events)
  }
  if (vote.holder.size() !== ballots) throw new Error(`${kind} holds ${vote.holder.size()} ballots`)
  return vote
}

let filled: { parameters: Parameters; vote: Vote } | undefined

const prepare = (parameters: Parameters) => {
  filled = { parameters, vote: fill(parameters) }
  return { megabytes: process.memoryUsage().rss / 2 ** 20 }
}

const current = (): Vote => {
  if (!filled) throw new Error('nothing was prepared')
  const { parameters, vote } = filled
  if (vote.voters >= parameters.ballots + parameters.renewAfter) filled.vote = fill(parameters)
  return filled.vote
}

/** Microseconds per vote, including the collection of unused memory, without the creation of the events. */
const cast = ({ votes }: { votes: number }) => {
  let tookMs = 0
  for (let taken = 0; taken < votes; taken += VOTES_PER_HEIGHT) {
    const vote = current()
    const events = nextVotes(vote)
    const startedMs = performance.now()
    vote.holder.take(events)
    tookMs += performance.now() - startedMs
  }
  return { microseconds: (tookMs * 1_000) / votes }
}

takeOrders({ prepare, cast })
