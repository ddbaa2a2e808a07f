// Generates the governance of a random chain as heights of events, like ingest appends them; a seed defines the history.
import { hash } from 'node:crypto'
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import { ORDINAL } from '../../../ingest/contract/envelope.ts'
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState, TallyCounts, WeightedOption } from '../../../ingest/contract/facts.ts'
import type { ReadBallot } from '../../../ingest/contract/round-events.ts'
import { type TallyBallot, tally } from '../../../ingest/tally/tally.ts'
import { toTallyPools } from '../fold/tally-cases.ts'
import {
  about,
  canceled,
  closed,
  createHeightEvents,
  deposited,
  dropped,
  type EventBuilder,
  finalReading,
  lightBlock,
  proposalProof,
  reading,
  reconstructed,
  restarted,
  snapshot,
  snapshotReading,
  submitted,
  undecodableEvent,
  validators,
  vote,
  votingStarted,
  votingState,
} from './governance-events.ts'
import { all, params, pool, to, toBlockTime } from './governance-values.ts'

export type StoryOptions = { seed: number; heights: number; pools?: number; voters?: number }

const WEIGHTED: readonly (readonly WeightedOption[])[] = [
  all('yes'),
  all('no'),
  all('abstain'),
  all('no_with_veto'),
  [
    { option: 'yes', weight: '0.333333333333333333' },
    { option: 'no', weight: '0.666666666666666667' },
  ],
  // As wrapped messages up to SDK 0.46 may have them.
  [
    { option: 'yes', weight: '1.000000000000000000' },
    { option: 'no', weight: '1.000000000000000000' },
  ],
  [{ option: 'yes', weight: '0.300000000000000000' }],
]

export type Random = (below: number) => number

/** mulberry32: small, seeded, the same everywhere. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** The parameters in the chain's state that every generated proposal changes. */
const observed = (id: string, quorum: string): EventBuilder => {
  const response = { params: { quorum, threshold: '0.5' } }
  const query = { query: '/cosmos.gov.v1.Query/Params', request: {}, response, reason: null }
  return about('proposal.context', id, () => ({ observations: [query] }), { sub: 2 })
}

/** It changes a parameter and stores code with bytes in two chunks. */
const submission = (id: string): EventBuilder[] => {
  const halves = [Buffer.from(`code of ${id}`), Buffer.from(', in two chunks')]
  const whole = Buffer.concat(halves)
  const code = { sha256: hash('sha256', whole, 'hex'), size: whole.length }
  const messages = [
    { '@type': '/cosmos.gov.v1.MsgUpdateParams', params: { quorum: '0.35', threshold: '0.5' } },
    { '@type': '/cosmwasm.wasm.v1.MsgStoreCode', wasm_byte_code: code },
  ]
  const field = { message: 1, path: '/wasm_byte_code', chunks: halves.length, ...code }
  const chunks = halves.map((half, chunk) => {
    const bytes = half.toString('base64')
    return about('message.bytes', id, () => ({ ...field, chunk, bytes }), { sub: 3 + chunk })
  })
  return [submitted(id, { messages }), observed(id, '0.334'), ...chunks]
}

/** Before the first indexed height, which is 100. */
const CLOSED_HEIGHT = 60

/**
 * Random parts of a history: of a proposal that had ended, of one that the log knows, and of an open one. The final reading of a
 * proposal is the same each time, as on a chain.
 */
const createHistory = (
  random: Random,
  of: { ended: string; closed: string; open: string },
  { pools, voters }: { pools: PoolState[]; voters: readonly string[] },
): (() => EventBuilder[]) => {
  const ballots = voters
    .filter(() => random(4) > 0)
    .map((voter): TallyBallot => {
      const { operatorAddress = '' } = pools[random(pools.length)] ?? {}
      const delegations = [{ operatorAddress, shares: `${1 + random(900)}` }]
      return { voter, options: all(random(2) === 0 ? 'yes' : 'no'), delegations }
    })
  const finalTally = tally(toTallyPools(pools), ballots).counts
  return () => {
    const found = ballots.map(({ voter, options, delegations }, at): ReadBallot => {
      const height = 20 + at
      const cast = { height, time: toBlockTime(height), txHash: 'A'.repeat(64) }
      const isFound = random(3) > 0
      const ballot = { voter, options: [...options], delegations: [...delegations] }
      return { ...ballot, ...(isFound ? { cast } : {}) }
    })
    const complete = random(6) > 0
    const incompleteReason = complete ? null : 'pruned'
    const evidence = { pools, ballots: found, complete, incompleteReason }
    const id = random(5) === 0 ? of.closed : of.ended
    const place = { ordinal: ORDINAL.history }
    const past = [
      reconstructed(id, CLOSED_HEIGHT, finalTally),
      finalReading(id, evidence, { ...place, sub: 1 }),
    ]
    const cast = reading(of.open, { ballots: found }, { ...place, sub: 2 })
    return random(2) === 0 ? [...past, cast] : past
  }
}

type RoundRead = EventOf<'rollcall.round.read.v1'>['data']
type Open = {
  id: string
  since: number
  round: number
  isExpedited: boolean
  /** The votes in the state of the chain. */
  ballots: Map<string, WeightedOption[]>
  /** Whether the state was read since the round began. */
  isRead: boolean
}

const createStory = (options: StoryOptions) => {
  const random = createRandom(options.seed)
  // Its own numbers: the rest of the story is the same with and without history.
  const randomPast = createRandom(options.seed + 1)
  const poolNames = Array.from({ length: options.pools ?? 5 }, (_, at) => `p${at}`)
  const voterNames = [
    ...poolNames.map((name) => `${name}-account`),
    ...Array.from({ length: options.voters ?? 9 }, (_, at) => `voter-${at}`),
  ]
  const states = new Map<string, PoolState>()
  const stakes = new Map<string, Delegation[]>()
  const open = new Map<string, Open>()
  let nextId = 10
  let recall = (): EventBuilder[] => []

  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const changePool = (name: string): PoolState => {
    const state = pool(name, {
      tokens: String(900_000 + random(200_000)),
      delegatorShares: `${1_000_000 + random(3)}.${String(random(1_000_000)).padStart(18, '7')}`,
      status: random(8) === 0 ? 'unbonding' : 'bonded',
      jailed: random(9) === 0,
    })
    states.set(name, state)
    return state
  }
  const createDelegations = (voter: string): Delegation[] =>
    poolNames
      .filter((name) => random(3) === 0 || voter === `${name}-account`)
      .map((name) => to(name, `${1 + random(5000)}.${random(1000)}`))
  const allPools = () => poolNames.map((name) => states.get(name) ?? pool(name))
  /** As on a chain, no tally of its pools exceeds it. */
  const bondedTotal = (): string =>
    allPools()
      .filter(({ status }) => status === 'bonded')
      .reduce((sum, { tokens }) => sum + BigInt(tokens), 0n)
      .toString()
  const basis = () => ({ params: params(), bondedTokens: bondedTotal() })
  const findStake = (voter: string): Delegation[] => {
    const stake = stakes.get(voter) ?? createDelegations(voter)
    stakes.set(voter, stake)
    return stake
  }
  const readBallots = ({ ballots }: Open): ReadBallot[] =>
    [...ballots].map(([voter, options]) => ({
      voter,
      options: [...options],
      delegations: [...findStake(voter)],
    }))
  /** In one or two chunks, of which one may be missing. */
  const inChunks = (
    build: (data: Partial<RoundRead>) => EventBuilder,
    { ballots, pools, ...data }: Partial<RoundRead> & Pick<RoundRead, 'ballots' | 'pools'>,
  ): EventBuilder[] => {
    if (random(2) === 0) return [build({ ...data, pools, ballots })]
    const cut = random(ballots.length + 1)
    const first = build({ ...data, chunks: 2, pools, ballots: ballots.slice(0, cut) })
    const { params: _params, bondedTokens: _bonded, ...rest } = data
    const second = { ...rest, chunks: 2, chunk: 1, pools: [], ballots: ballots.slice(cut) }
    return random(10) === 0 ? [first] : [first, build(second)]
  }

  const startVote = (id: string, since: number, isExpedited: boolean): EventBuilder[] => {
    open.set(id, { id, since, round: 1, isExpedited, ballots: new Map(), isRead: false })
    return [votingStarted(id, { proposal: votingState(id, { expedited: isExpedited }) })]
  }
  /** Some votes have no event, and some events no vote. */
  const castVote = (proposal: Open, voters: Set<string>): EventBuilder[] => {
    const voter = pick(voterNames)
    const options = [...pick(WEIGHTED)]
    const what = random(20)
    if (what > 0) proposal.ballots.set(voter, options)
    if (what === 1) return []
    voters.add(voter)
    return [vote(proposal.id, voter, { round: proposal.round, options })]
  }
  /** What ingest reads at the tip: everything at first and at times, else the stake of new voters and what moved. */
  const readRound = (proposal: Open, voters: ReadonlySet<string>): EventBuilder[] => {
    const { id, round } = proposal
    const build = (data: Partial<RoundRead>) => reading(id, { round, ...data })
    if (!proposal.isRead || random(4) === 0) {
      proposal.isRead = true
      const all = { allBallots: true, allPools: true, ...basis() }
      return inChunks(build, { ...all, pools: allPools(), ballots: readBallots(proposal) })
    }
    const named = voterNames.filter((voter) => voters.has(voter) || random(12) === 0)
    const ballots = named.map((voter): ReadBallot => {
      const isKnown = random(30) > 0
      const reason = { delegations: null, delegationsReason: 'pruned' }
      return { voter, ...(isKnown ? { delegations: [...findStake(voter)] } : reason) }
    })
    if (ballots.length === 0 && random(2) === 0) return []
    const pools = random(2) === 0 ? allPools().filter(() => random(3) === 0) : undefined
    return inChunks(build, { ...(pools ? basis() : {}), pools: pools ?? [], ballots })
  }
  /** In one or two chunks; parts may be missing in the reading or in the log. */
  const createEvidence = (proposal: Open): EventBuilder[] => {
    const complete = random(8) > 0
    let sub = 1
    return inChunks((data) => finalReading(proposal.id, data, { sub: sub++ }), {
      round: proposal.round,
      complete,
      incompleteReason: complete ? null : 'too late',
      ...basis(),
      pools: allPools(),
      ballots: readBallots(proposal),
    })
  }
  /** The chain's own numbers: those of its state, or one unit more or less. */
  const computeTally = (proposal: Open): TallyCounts => {
    const ballots = readBallots(proposal).map(({ voter, options = [], delegations }) => {
      return { voter, options, delegations: delegations ?? [] }
    })
    const { counts } = tally(toTallyPools(allPools()), ballots)
    return random(6) === 0 ? { ...counts, yes: (BigInt(counts.yes) + 1n).toString() } : counts
  }
  const endVote = (proposal: Open): EventBuilder[] => {
    const what = random(5)
    if (proposal.isExpedited && proposal.round === 1 && what < 3) {
      const end = restarted(proposal.id, { round: 1, finalTally: computeTally(proposal) })
      const events = [end, ...createEvidence(proposal)]
      Object.assign(proposal, { round: 2, isRead: false })
      proposal.ballots.clear()
      return events
    }
    open.delete(proposal.id)
    if (what === 4) return [canceled(proposal.id)]
    const outcome = pick(['passed', 'rejected', 'failed'] as const)
    const { round } = proposal
    const end = closed(proposal.id, { round, outcome, finalTally: computeTally(proposal) })
    return [end, ...(random(12) === 0 ? [] : createEvidence(proposal))]
  }
  const openProposal = (height: number): EventBuilder[] => {
    const id = String(nextId++)
    if (random(2) === 0) return [...submission(id), ...startVote(id, height, random(2) === 0)]
    const proposal = { id, since: height, round: 0, isExpedited: false }
    open.set(id, { ...proposal, ballots: new Map(), isRead: false })
    return submission(id)
  }
  const moveDeposit = (proposal: Open): EventBuilder[] => {
    const what = random(6)
    if (what < 2) return [deposited(proposal.id), observed(proposal.id, '0.5')]
    if (what < 5) return startVote(proposal.id, proposal.since, random(2) === 0)
    open.delete(proposal.id)
    return [random(2) === 0 ? dropped(proposal.id) : canceled(proposal.id)]
  }
  /** The opening snapshot: one open vote and one closed vote. */
  const begin = (height: number): EventBuilder[] => {
    for (const name of poolNames) changePool(name)
    const known = { pools: allPools(), voters: voterNames }
    recall = createHistory(randomPast, { ended: '1', closed: '10', open: '2' }, known)
    const votes = new Map(voterNames.map((voter) => [voter, all('yes')]))
    const two = {
      id: '2',
      since: height,
      round: 1,
      isExpedited: false,
      ballots: votes,
      isRead: true,
    }
    open.set('2', two)
    const over = votingState('1', { status: 'rejected' })
    return [
      snapshot({
        proposals: [
          { proposal: votingState('2'), messages: [], round: 1 },
          { proposal: over, messages: [], round: 1 },
        ],
        pools: allPools(),
        ...basis(),
      }),
      snapshotReading('2', { ...basis(), pools: allPools(), ballots: readBallots(two) }),
    ]
  }
  const moveStake = (): void => {
    for (const voter of voterNames) {
      if (random(8) === 0) stakes.set(voter, createDelegations(voter))
    }
  }
  const changePools = (): void => {
    for (const name of poolNames) if (random(3) === 0) changePool(name)
  }
  const happen = (height: number): EventBuilder[] => {
    // Behind the tip nothing is read.
    const isAtTip = random(5) > 0
    const events: EventBuilder[] = randomPast(6) === 0 ? recall() : []
    if (random(5) === 0) moveStake()
    if (random(4) === 0) changePools()
    for (const proposal of [...open.values()]) {
      if (proposal.round === 0) {
        if (random(4) === 0) events.push(...moveDeposit(proposal))
        continue
      }
      const voters = new Set<string>()
      const ballots = random(4)
      for (let at = 0; at < ballots; at++) events.push(...castVote(proposal, voters))
      if (random(12) === 0) events.push(...endVote(proposal))
      else if (isAtTip) events.push(...readRound(proposal, voters))
    }
    if (random(3) === 0) events.push(...openProposal(height))
    if (random(25) === 0) events.push(undecodableEvent(pick([...open.keys(), null])))
    return events
  }
  const openSince = (): number | null =>
    open.size === 0 ? null : Math.min(...[...open.values()].map(({ since }) => since))
  return { begin, happen, openSince }
}

/** Proofs two heights after these events: of each submission and each end of a round, some in two chunks. */
const proofsAfter = (events: readonly GovernanceEvent[]): EventBuilder[] => {
  const ends = events.flatMap(({ type, data }) => {
    if (type === 'rollcall.proposal.submitted.v1') return [{ id: data.proposalId, round: 0 }]
    const isEnd = type === 'rollcall.proposal.closed.v1' || type === 'rollcall.voting.restarted.v1'
    return isEnd ? [{ id: data.proposalId, round: data.round }] : []
  })
  if (ends.length === 0) return []
  const proofs = ends.flatMap(({ id, round }) => {
    const chunks = 1 + (Number(id) % 2)
    return Array.from({ length: chunks }, (_, chunk) => ({ id, round, chunk, chunks }))
  })
  return [
    lightBlock(),
    validators(),
    ...proofs.map(({ id, ...rest }, at) => proposalProof(id, rest, 2 + at)),
  ]
}

export const generateStory = (options: StoryOptions): GovernanceEvent[][] => {
  const story = createStory(options)
  const heights: GovernanceEvent[][] = []
  for (let at = 0; at < options.heights; at++) {
    const height = 100 + at
    const events = at === 0 ? story.begin(height) : story.happen(height)
    const proofs = proofsAfter(heights[at - 2] ?? [])
    heights.push(createHeightEvents(height, [...events, ...proofs], story.openSince()))
  }
  return heights
}
