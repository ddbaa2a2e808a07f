// Fills one open proposal with ballots in its own process, then measures the time of further votes.
// It measures the fold with its rows, and the open round of ingest.
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import { applyReading, castBallot, createRoundState } from '../../../ingest/rounds/round-state.ts'
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
    const round = createRoundState()
    return {
      take: (events) => {
        for (const event of events) {
          if (event.type === 'rollcall.round.read.v1') applyReading(round, [event])
          if (event.type !== 'rollcall.vote.cast.v1' || event.data.voter === null) continue
          castBallot(round, event.data.voter, event.data)
        }
      },
      size: () => round.ballots.size,
    }
  },
}

type RoundRead = EventOf<'rollcall.round.read.v1'>['data']

const AFTER = { ordinal: ORDINAL.after }

const toReading = (stateHeight: number, changes: Partial<RoundRead>): RoundRead => ({
  proposalId: '1',
  round: 1,
  chunk: 0,
  chunks: 1,
  stateHeight,
  final: false,
  allBallots: false,
  allPools: false,
  complete: true,
  incompleteReason: null,
  pools: [],
  ballots: [],
  ...changes,
})

const beginning = (): GovernanceEvent[] => {
  const { add, events } = createHeight(FIRST_HEIGHT)
  const proposal = createProposalState(1, FIRST_HEIGHT, 'voting_period')
  const about = { proposalId: '1', proposal, proposalReason: null, txHash: null }
  add('rollcall.proposal.submitted.v1', { ...about, messages: [], params: PARAMS })
  add('rollcall.voting.started.v1', about)
  const bondedTokens = pools.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n).toString()
  const all = { allPools: true, allBallots: true, params: PARAMS, bondedTokens, pools }
  add('rollcall.round.read.v1', toReading(FIRST_HEIGHT, all), AFTER)
  return events
}

/** Of 20 bytes, without a checksum: no code here reads it. */
const toAddress = (number: number): string =>
  `cosmos1${number.toString(8).replaceAll('1', 'z').padStart(32, 'q')}qqqqqq`

/** A height of votes by voters without a ballot, and the reading of their stake. */
const nextVotes = (vote: Vote): GovernanceEvent[] => {
  const { add, events } = createHeight(++vote.height)
  const ballots: RoundRead['ballots'] = []
  for (let index = 0; index < VOTES_PER_HEIGHT; index++) {
    const number = vote.voters++
    const first = random(POOLS)
    const voter = toAddress(number)
    ballots.push({
      voter,
      delegations: [first, (first + 7) % POOLS].map((pool) => ({
        operatorAddress: pools[pool]!.operatorAddress,
        shares: `${1 + random(10_000)}.000000000000000000`,
      })),
    })
    add('rollcall.vote.cast.v1', {
      proposalId: '1',
      round: 1,
      voterReason: null,
      counted: true,
      voter,
      options: [{ option: OPTIONS[number % OPTIONS.length]!, weight: '1.000000000000000000' }],
      txHash: null,
    })
  }
  add('rollcall.round.read.v1', toReading(vote.height, { ballots }), AFTER)
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
