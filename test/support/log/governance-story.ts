// Generates the governance of a random chain as heights of events, like ingest appends them; a seed defines the history.
import { hash } from 'node:crypto'
import type { Delegation } from '../../../ingest/contract/delegation.ts'
import type { EventOf, GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState, TallyCounts, WeightedOption } from '../../../ingest/contract/facts.ts'
import { tally } from '../../../ingest/tally/tally.ts'
import { messageBytes, proposalContext } from './context-events.ts'
import {
  canceled,
  closed,
  createHeightEvents,
  deposited,
  dropped,
  earlierVote,
  evidence,
  paramsObserved,
  poolsObserved,
  restarted,
  snapshot,
  stakeChanged,
  submitted,
  undecodableEvent,
  vote,
  votingStarted,
  votingState,
} from './governance-events.ts'
import { all, pool, to } from './governance-values.ts'
import { createHistory } from './history-events.ts'
import { lightBlock, proposalProof, validators } from './proof-events.ts'

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
]

/** mulberry32: small, seeded, the same everywhere. */
export const createRandom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** The parameters in the chain's state that every generated proposal changes. */
const observed = (id: string, quorum: string): Placed =>
  proposalContext(id, {
    observations: [
      {
        query: '/cosmos.gov.v1.Query/Params',
        request: {},
        response: { params: { quorum, threshold: '0.5' } },
        reason: null,
      },
    ],
  })

/** It changes a parameter and stores code with bytes in two chunks. */
const submission = (id: string): Placed[] => {
  const halves = [Buffer.from(`code of ${id}`), Buffer.from(', in two chunks')]
  const whole = Buffer.concat(halves)
  const code = { sha256: hash('sha256', whole, 'hex'), size: whole.length }
  const messages = [
    { '@type': '/cosmos.gov.v1.MsgUpdateParams', params: { quorum: '0.35', threshold: '0.5' } },
    { '@type': '/cosmwasm.wasm.v1.MsgStoreCode', wasm_byte_code: code },
  ]
  const chunks = halves.map((bytes, chunk) =>
    messageBytes(id, bytes, { message: 1, chunk, chunks: halves.length, ...code }),
  )
  return [submitted(id, { messages }), observed(id, '0.334'), ...chunks]
}

type EvidenceData = EventOf<'rollcall.tally.evidence.v1'>['data']
type Open = {
  id: string
  since: number
  round: number
  isExpedited: boolean
  /** The tally of the chain, based on the generated events. */
  ballots: Map<string, EvidenceData['ballots'][number]>
}
type Placed = ReturnType<typeof vote>

const createStory = (options: StoryOptions) => {
  const random = createRandom(options.seed)
  // Its own numbers: the rest of the story is the same with and without history.
  const randomPast = createRandom(options.seed + 1)
  const poolNames = Array.from({ length: options.pools ?? 5 }, (_, at) => `p${at}`)
  const voters = [
    ...poolNames.map((name) => `${name}-account`),
    ...Array.from({ length: options.voters ?? 9 }, (_, at) => `voter-${at}`),
  ]
  const states = new Map<string, PoolState>()
  const open = new Map<string, Open>()
  let nextId = 10
  let recall = (): Placed[] => []

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
  const bondedTotal = (): bigint =>
    allPools()
      .filter(({ status }) => status === 'bonded')
      .reduce((sum, { tokens }) => sum + BigInt(tokens), 0n)
  const fullPools = () => poolsObserved(allPools(), { bondedTokens: `${bondedTotal()}` })

  const startVote = (id: string, since: number, isExpedited: boolean): Placed[] => {
    open.set(id, { id, since, round: 1, isExpedited, ballots: new Map() })
    const proposal = votingState(id, { expedited: isExpedited })
    return [votingStarted(id, { proposal }), fullPools(), paramsObserved()]
  }
  const castVote = (proposal: Open): Placed => {
    const voter = pick(voters)
    const isKnown = random(30) > 0
    const options = [...pick(WEIGHTED)]
    const delegations = createDelegations(voter)
    proposal.ballots.set(voter, { voter, options, delegations })
    return vote(proposal.id, voter, {
      round: proposal.round,
      options,
      delegations: isKnown ? delegations : null,
      delegationsReason: isKnown ? null : 'pruned',
    })
  }
  const talliedPools = () =>
    [...states.values()].map((state) => ({
      pool: state,
      counted: state.status === 'bonded' && !state.jailed,
    }))
  /** In one or two chunks; parts may be missing in the evidence or in the log. */
  const createEvidence = ({ id, round, ballots }: Open): Placed[] => {
    const tallied = [...ballots.values()]
    const pools = talliedPools()
    const isComplete = random(8) > 0
    const all = { round, complete: isComplete, incompleteReason: isComplete ? null : 'too late' }
    const chunks = 1 + random(2)
    const cut = chunks === 1 ? tallied.length : random(tallied.length + 1)
    const first = evidence(id, { ...all, chunks, pools, ballots: tallied.slice(0, cut) })
    const rest = { ...all, chunks, params: null, bondedTokens: null, ballots: tallied.slice(cut) }
    const second = chunks === 1 ? [] : [evidence(id, { ...rest, chunk: 1 })]
    return [first, ...(random(10) === 0 ? [] : second)]
  }
  /** The chain's own numbers: those of the evidence, or one unit more or less. */
  const computeTally = ({ ballots }: Open): TallyCounts => {
    const { counts } = tally(talliedPools(), ballots.values())
    return random(6) === 0 ? { ...counts, yes: (BigInt(counts.yes) + 1n).toString() } : counts
  }
  const endVote = (proposal: Open): Placed[] => {
    const what = random(5)
    if (proposal.isExpedited && proposal.round === 1 && what < 3) {
      const end = restarted(proposal.id, { round: 1, finalTally: computeTally(proposal) })
      const events = [end, ...createEvidence(proposal), fullPools()]
      proposal.round = 2
      proposal.ballots.clear()
      return events
    }
    open.delete(proposal.id)
    if (what === 4) return [canceled(proposal.id), fullPools()]
    const outcome = pick(['passed', 'rejected', 'failed'] as const)
    const { round } = proposal
    const end = closed(proposal.id, { round, outcome, finalTally: computeTally(proposal) })
    return [end, ...(random(12) === 0 ? [] : createEvidence(proposal)), fullPools()]
  }
  const openProposal = (height: number): Placed[] => {
    const id = String(nextId++)
    if (random(2) === 0) return [...submission(id), ...startVote(id, height, random(2) === 0)]
    open.set(id, { id, since: height, round: 0, isExpedited: false, ballots: new Map() })
    return submission(id)
  }
  const moveDeposit = (proposal: Open): Placed[] => {
    const what = random(6)
    if (what < 2) return [deposited(proposal.id), observed(proposal.id, '0.5')]
    if (what < 5) return startVote(proposal.id, proposal.since, random(2) === 0)
    open.delete(proposal.id)
    return [random(2) === 0 ? dropped(proposal.id) : canceled(proposal.id)]
  }
  /** The opening snapshot: one open vote and one closed vote. */
  const begin = (height: number): Placed[] => {
    for (const name of poolNames) changePool(name)
    const known = { pools: talliedPools(), voters }
    recall = createHistory(randomPast, { ended: '1', closed: '10', open: '2' }, known)
    open.set('2', { id: '2', since: height, round: 1, isExpedited: false, ballots: new Map() })
    const over = votingState('1', { status: 'rejected' })
    return [
      snapshot({
        proposals: [
          { proposal: votingState('2'), messages: [], round: 1 },
          { proposal: over, messages: [], round: 1 },
        ],
        votes: voters.map((voter) =>
          earlierVote('2', voter, { delegations: createDelegations(voter) }),
        ),
        pools: [...states.values()],
        bondedTokens: `${bondedTotal()}`,
      }),
    ]
  }
  const moveStake = (): Placed[] => {
    const voter = pick(voters)
    const isKnown = random(10) > 0
    const others = voters.filter((other) => other !== voter && random(12) === 0)
    return [
      stakeChanged(voter, isKnown ? createDelegations(voter) : null),
      ...others.map((other, at) => stakeChanged(other, createDelegations(other), at + 1)),
    ]
  }
  const changedPools = (): Placed[] => {
    const surplus = BigInt(random(5))
    const some = poolNames.filter(() => random(3) === 0).map(changePool)
    if (some.length === 0) return []
    const bondedTokens = `${bondedTotal() + surplus}`
    return [poolsObserved(some, { full: false, bondedTokens }, 1)]
  }
  const happen = (height: number): Placed[] => {
    const events: Placed[] = randomPast(6) === 0 ? recall() : []
    for (const proposal of [...open.values()]) {
      if (proposal.round === 0) {
        if (random(4) === 0) events.push(...moveDeposit(proposal))
        continue
      }
      const ballots = random(4)
      for (let at = 0; at < ballots; at++) events.push(castVote(proposal))
      if (random(12) === 0) events.push(...endVote(proposal))
    }
    if (random(3) === 0) events.push(...openProposal(height))
    if (random(5) === 0) events.push(...moveStake())
    if (random(4) === 0) events.push(...changedPools())
    if (random(25) === 0) events.push(undecodableEvent(pick([...open.keys(), null])))
    return events
  }
  const openSince = (): number | null =>
    open.size === 0 ? null : Math.min(...[...open.values()].map(({ since }) => since))
  return { begin, happen, openSince }
}

/** A full observation happens at most once per height. */
const withoutRepeats = (events: readonly GovernanceEvent[]): GovernanceEvent[] => [
  ...new Map(events.map((event) => [event.id, event])).values(),
]

/** Proofs two heights after these events: of each submission and each end of a round, some in two chunks. */
const proofsAfter = (events: readonly GovernanceEvent[]): Placed[] => {
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
    heights.push(
      withoutRepeats(createHeightEvents(height, [...events, ...proofs], story.openSince())),
    )
  }
  return heights
}
