// What the stories of all devnets share: accounts, proposals by name, votes, and the time of the chain.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { VoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import { type Account, createAccounts, moduleAddress } from './accounts.ts'
import type { Devnet, Person } from './chain.ts'
import { type PoolSeed, ROLL } from './genesis.ts'
import { delegate, type Submission, submit, undelegate, unjail, vote } from './messages.ts'
import { createNodeState, type NodeState } from './node-state.ts'
import { type Chain, connectChain, eventValue } from './transactions.ts'

const POLL_MS = 50

/** The deposits that bring a proposal to its vote at once. */
const FULL = 100n * ROLL
const EXPEDITED = 500n * ROLL

/** Without a deposit, as much as brings it to its vote. */
type Proposed = Partial<Submission> & { deposit?: bigint | undefined }

export type Scene = {
  chain: Chain
  send: Chain['send']
  state: NodeState
  operators: readonly Account[]
  /** The pools of the operators, as they were in the genesis. */
  pools: readonly PoolSeed[]
  whales: readonly Account[]
  voters: readonly Account[]
  operator(index: number): Account
  whale(name: string): Account
  person(name: Person): Account
  governance: string
  proposals: Map<string, bigint>
  id(name: string): bigint
  /** In one transaction, so that votes of the same length close in the same block. */
  propose(proposer: Person, submissions: Readonly<Record<string, Proposed>>): Promise<void>
  cast(name: string, votes: readonly (readonly [Account, VoteOption])[]): Promise<unknown>
  /** Waits until the chain's own clock shows this many seconds since the scene began. */
  at(seconds: number): Promise<void>
  /** Seconds of the chain's own clock since the scene began. */
  seconds(): number
  /** The end of an open vote, in seconds of the scene. */
  findClose(name: string): Promise<number>
  begin(): void
}

export function nth<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`nothing at ${index}`)
  return item
}

const named = (accounts: readonly Account[], name: string): Account => {
  const account = accounts.find((each) => each.name === name)
  if (!account) throw new Error(`no account is called ${name}`)
  return account
}

export async function openScene(devnet: Devnet, voterCount = 0): Promise<Scene> {
  const { spec, accounts } = devnet
  const chain = await connectChain(devnet)
  await chain.untilHeight(2)
  const voters = Array.from({ length: voterCount }, (_, index) => `voter ${index}`)
  const state = createNodeState(chain.rpc, spec)
  const proposals = new Map<string, bigint>()
  let beganMs = 0
  const id = (name: string): bigint => {
    const found = proposals.get(name)
    if (found === undefined) throw new Error(`proposal ${name} is not submitted yet`)
    return found
  }
  const person = (name: Person) => named(accounts.people, name)
  return {
    chain,
    send: chain.send,
    state,
    operators: accounts.operators,
    pools: spec.pools,
    whales: accounts.whales,
    voters: await createAccounts(voters, spec.addressPrefix),
    operator: (index) => nth(accounts.operators, index),
    whale: (name) => named(accounts.whales, name),
    person,
    governance: moduleAddress('gov', spec.addressPrefix),
    proposals,
    id,
    async propose(proposer, submissions) {
      const { address } = person(proposer)
      const messages = Object.entries(submissions).map(([title, is]) => {
        const text = { title, summary: 'A vote on a devnet.', metadata: 'of a devnet', ...is }
        const { deposit = is.expedited ? EXPEDITED : FULL, ...submission } = text
        return submit(address, submission, deposit)
      })
      const outcome = await chain.send(person(proposer), messages, { gas: 20_000_000 })
      const first = BigInt(eventValue(outcome, 'submit_proposal', 'proposal_id'))
      for (const [index, name] of Object.keys(submissions).entries())
        proposals.set(name, first + BigInt(index))
    },
    cast: (name, votes) =>
      Promise.all(
        votes.map(([voter, option]) => chain.send(voter, [vote(id(name), voter.address, option)])),
      ),
    at: async (seconds) => {
      while (chain.tip().timeMs < beganMs + seconds * 1_000) await sleep(POLL_MS)
    },
    seconds: () => (chain.tip().timeMs - beganMs) / 1_000,
    async findClose(name) {
      // A node serves the state of a block a moment after its results.
      await chain.untilHeight(chain.tip().height + 1)
      const endMs = (await state.proposal(id(name), 0))?.votingEndTime
      if (!endMs) throw new Error(`proposal ${name} is not in its voting period`)
      return (endMs - beganMs) / 1_000
    },
    begin() {
      beganMs = chain.tip().timeMs
    },
  }
}

/** A number in [0, 1) from the given words, the same in every run. */
export function chance(...words: readonly (string | number)[]): number {
  const digest = createHash('sha256').update(words.join('/')).digest()
  return digest.readUInt32BE(0) / 2 ** 32
}

/** An operator takes out its own stake: the chain jails its pool in that very block. */
export async function leave({ send, operator, pools }: Scene, index: number): Promise<void> {
  const own = operator(index)
  await send(own, [undelegate(own, own, nth(pools, index).selfTokens)])
}

export async function comeBack({ send, operator }: Scene, index: number): Promise<void> {
  const own = operator(index)
  await send(own, [delegate(own, own, 40_000n * ROLL), unjail(own)])
}

/** Sends a message every some milliseconds, whether the chain accepts it or not. The last one comes after the time. */
export async function keepSending(
  { send, seconds }: Scene,
  until: number,
  is: { pauseMs: number; move(turn: number): [Account, EncodeObject] },
): Promise<{ code: number }[]> {
  const pending: Promise<{ code: number }>[] = []
  for (let turn = 0; ; turn++) {
    const [from, message] = is.move(turn)
    pending.push(send(from, [message], { mayFail: true }))
    if (seconds() >= until) return Promise.all(pending)
    await sleep(is.pauseMs)
  }
}
