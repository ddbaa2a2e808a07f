// Shared state of the scenario: accounts, ids of proposals and the time of the chain.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { type Account, moduleAddress } from '../accounts.ts'
import type { Devnet } from '../chain.ts'
import type { PoolSeed } from '../chain-spec.ts'
import { operatorAddress } from '../genesis.ts'
import { deposit, submit } from '../messages.ts'
import { type ProposalKey, TEXTS } from '../proposal-texts.ts'
import { type Chain, eventValue } from '../transactions.ts'

export const ROLL = 1_000_000n
const POLL_MS = 50

/** The deposits that bring a proposal to its vote at once. */
export const FULL = 100n * ROLL
export const EXPEDITED = 500n * ROLL
/** The scene ends here; a replay adds the last 150 blocks or so before it one by one. */
export const SCENE_SECONDS = 240

export type Story = (scene: Scene) => Promise<unknown>

export type Scene = {
  chain: Chain
  operators: Account[]
  /** The pools of the operators, as they were in the genesis. */
  pools: readonly PoolSeed[]
  whales: Account[]
  person(name: string): Account
  voters: Account[]
  governance: string
  /** Set after the contract is deployed. */
  contract: string
  proposals: Map<ProposalKey, bigint>
  id(key: ProposalKey): bigint
  /** Waits until the chain's own clock shows this many seconds since the scene began. */
  at(seconds: number): Promise<void>
  /** Seconds of the chain's own clock since the scene began. */
  seconds(): number
  /** The same as `at`, by the chain's clock itself. */
  untilTime(timeMs: number): Promise<void>
  begin(): void
}

export function createScene(devnet: Devnet, chain: Chain, voters: Account[]): Scene {
  const people = new Map(devnet.accounts.people.map((account) => [account.name, account]))
  const proposals = new Map<ProposalKey, bigint>()
  let beganMs = 0
  const untilTime = async (timeMs: number) => {
    while (chain.tip().timeMs < timeMs) await sleep(POLL_MS)
  }
  return {
    chain,
    operators: devnet.accounts.operators,
    pools: devnet.spec.pools,
    whales: devnet.accounts.whales,
    voters,
    governance: moduleAddress('gov', devnet.spec.addressPrefix),
    contract: '',
    proposals,
    person(name) {
      const account = people.get(name)
      if (!account) throw new Error(`unknown account ${name}`)
      return account
    },
    id(key) {
      const id = proposals.get(key)
      if (id === undefined) throw new Error(`proposal ${key} is not submitted yet`)
      return id
    },
    seconds: () => (chain.tip().timeMs - beganMs) / 1_000,
    at: (seconds) => untilTime(beganMs + seconds * 1_000),
    untilTime,
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

export const toPoolAddress = (operator: Account): string => operatorAddress(operator.address)

export type SubmitPlan = {
  proposer: string
  deposit: bigint
  expedited?: boolean
  messages?: EncodeObject[]
}

export async function submitProposal(scene: Scene, key: ProposalKey, plan: SubmitPlan) {
  const proposer = scene.person(plan.proposer)
  const submission = {
    ...TEXTS[key],
    expedited: plan.expedited ?? false,
    messages: plan.messages ?? [],
  }
  const message = submit(proposer.address, submission, plan.deposit)
  const outcome = await scene.chain.send(proposer, [message], { gas: 3_000_000 })
  const id = BigInt(eventValue(outcome, 'submit_proposal', 'proposal_id'))
  scene.proposals.set(key, id)
  return id
}

export async function addDeposit(scene: Scene, key: ProposalKey, from: string, amount: bigint) {
  const depositor = scene.person(from)
  await scene.chain.send(depositor, [deposit(scene.id(key), depositor.address, amount)])
}
