// What the stories of every rule share: their chain, their proposals by name, and votes under the names of that chain.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Account } from '../accounts.ts'
import type { Devnet } from '../chain.ts'
import { ABSTAIN, NO, submit, vote, weightedVote, YES } from '../messages.ts'
import { createScene, FULL, type Scene } from '../scenario/scene.ts'
import { type Chain, connectChain, eventValue } from '../transactions.ts'
import { RULES_TYPES, toAtomone } from './messages.ts'
import type { Rule, Whale } from './rules-chain.ts'

const GAS = 8_000_000

export type Choice = 'yes' | 'no' | 'abstain'
const OPTIONS = { yes: YES, no: NO, abstain: ABSTAIN } as const

export type Stage = {
  rule: Rule
  scene: Scene
  chain: Chain
  proposals: Map<string, bigint>
  whale(name: Whale): Account
  operator(index: number): Account
  send(from: Account, messages: EncodeObject[], mayFail?: boolean): Promise<unknown>
  /** In one transaction, so that their votes end in the same block. */
  propose(submissions: Record<string, readonly EncodeObject[]>): Promise<void>
  vote(name: string, choices: readonly (readonly [Account, Choice])[]): Promise<void>
  /** A split vote in odd weights. */
  split(name: string, voter: Account): EncodeObject
  /** One vote with a text, which the steward's hook reads. */
  voteWith(name: string, voter: Account, metadata: string): EncodeObject
  id(name: string): bigint
}

export async function openStage(rule: Rule, devnet: Devnet): Promise<Stage> {
  const chain = await connectChain(devnet.rpcUrl, devnet.spec.chainId, RULES_TYPES)
  await chain.untilHeight(2)
  const scene = createScene(devnet, chain, [])
  const proposals = new Map<string, bigint>()
  const isAtomone = rule === 'governors' || rule === 'alone'
  const named = (message: EncodeObject) => (isAtomone ? toAtomone(message) : message)
  const find = (accounts: readonly Account[], name: string): Account => {
    const found = accounts.find((account) => account.name === name)
    if (!found) throw new Error(`no account is called ${name}`)
    return found
  }
  const id = (name: string): bigint => {
    const found = proposals.get(name)
    if (found === undefined) throw new Error(`proposal ${name} is not submitted yet`)
    return found
  }
  const send: Stage['send'] = (from, messages, mayFail = false) =>
    chain.send(from, messages, { gas: GAS, mayFail })
  return {
    rule,
    scene,
    chain,
    proposals,
    whale: (name) => find(scene.whales, name),
    operator: (index) => find(scene.operators, `operator ${index}`),
    send,
    async propose(submissions) {
      const proposer = scene.person('council')
      const entries = Object.entries(submissions)
      const messages = entries.map(([title, inner]) => {
        const text = { title, summary: `A vote on ${rule}.`, metadata: rule, messages: [...inner] }
        return named(submit(proposer.address, text, FULL))
      })
      const outcome = await chain.send(proposer, messages, { gas: GAS })
      const first = BigInt(eventValue(outcome, 'submit_proposal', 'proposal_id'))
      for (const [index, [name]] of entries.entries()) proposals.set(name, first + BigInt(index))
    },
    async vote(name, choices) {
      const cast = ([voter, choice]: readonly [Account, Choice]) =>
        send(voter, [named(vote(id(name), voter.address, OPTIONS[choice]))])
      await Promise.all(choices.map(cast))
    },
    split: (name, voter) =>
      named(
        weightedVote(id(name), voter.address, [
          [YES, '0.333333333333333333'],
          [ABSTAIN, '0.333333333333333333'],
          [NO, '0.333333333333333334'],
        ]),
      ),
    voteWith: (name, voter, metadata) => named(vote(id(name), voter.address, YES, metadata)),
    id,
  }
}
