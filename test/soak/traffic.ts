// Keeps a devnet busy: proposals, votes and moving stake, until it is stopped.
import { setTimeout as sleep } from 'node:timers/promises'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { createAccounts } from '../devnet/accounts.ts'
import { createVote } from '../devnet/campaign/ballots.ts'
import {
  comeBack,
  createStakeMove,
  firstDelegations,
  leave,
} from '../devnet/campaign/stake-moves.ts'
import type { Devnet } from '../devnet/chain.ts'
import { coin, submit } from '../devnet/messages.ts'
import { createScene, EXPEDITED, FULL, ROLL, type Scene } from '../devnet/scenario/scene.ts'
import { nth } from '../devnet/scenario/side-stories.ts'
import { connectChain, eventValue } from '../devnet/transactions.ts'

const VOTERS = 240
const ALLOWANCE = 60_000n * ROLL
const PROPOSAL_PAUSE_MS = 12_000
const TX_PAUSE_MS = 150
const JAIL_PAUSE_MS = 90_000
/** Pools that leave and return in turn, by their index in the genesis. */
const LEAVING = [20, 23, 25, 28, 31] as const

export type Traffic = {
  proposals(): number
  transactions(): number
  /** Rejections by the chain or the client, by reason without numbers. */
  refusals(): ReadonlyMap<string, number>
  /** Resolves after the last transaction. */
  stop(): Promise<void>
}

const fund = async (scene: Scene): Promise<void> => {
  const faucet = scene.person('faucet')
  const value = MsgMultiSend.fromPartial({
    inputs: [{ address: faucet.address, coins: [coin(ALLOWANCE * BigInt(VOTERS))] }],
    outputs: scene.voters.map(({ address }) => ({ address, coins: [coin(ALLOWANCE)] })),
  })
  const message = { typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value }
  await scene.chain.send(faucet, [message], { gas: 60_000_000 })
  await Promise.all(
    scene.voters.map((voter) =>
      scene.chain.send(voter, firstDelegations(scene, voter), { gas: 3_000_000 }),
    ),
  )
}

const propose = async (scene: Scene, index: number): Promise<bigint> => {
  const proposer = scene.person(index % 2 === 0 ? 'council' : 'community')
  const expedited = index % 5 === 0
  const text = {
    title: `Soak ${index + 1}`,
    summary: 'One of many that follow each other.',
    metadata: 'of the soak',
    expedited,
    messages: [],
  }
  const message = submit(proposer.address, text, expedited ? EXPEDITED : FULL)
  const outcome = await scene.chain.send(proposer, [message], { gas: 3_000_000 })
  return BigInt(eventValue(outcome, 'submit_proposal', 'proposal_id'))
}

export const startTraffic = async (devnet: Devnet): Promise<Traffic> => {
  const names = Array.from({ length: VOTERS }, (_, index) => `soak voter ${index}`)
  const chain = await connectChain(devnet.rpcUrl, devnet.spec.chainId)
  await chain.untilHeight(2)
  const scene = createScene(devnet, chain, await createAccounts(names))
  await fund(scene)
  scene.begin()
  const stopping = new AbortController()
  const { signal } = stopping
  const ids: bigint[] = []
  const counts = { transactions: 0 }
  const refusals = new Map<string, number>()
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)

  const repeat = async (pauseMs: number, act: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !signal.aborted; turn++) {
      // A closed vote rejects a ballot, and a pool that left cannot leave again: both cases are intended.
      await act(turn).catch((error: Error) => {
        const reason = error.message.replaceAll(/\b[0-9a-f]*\d[0-9a-f]*\b/gi, 'N').slice(0, 160)
        refusals.set(reason, (refusals.get(reason) ?? 0) + 1)
      })
      await pause(pauseMs)
    }
  }
  const voteOrMove = async (turn: number) => {
    const voter = nth(scene.voters, (turn * 7) % VOTERS)
    const recent = ids.slice(-5)
    const id = recent[turn % Math.max(1, recent.length)]
    const move = turn % 3 === 1 || id === undefined
    const messages = move ? [createStakeMove(scene, voter, turn)] : [createVote(id, voter, turn)]
    counts.transactions += 1
    // Not awaited: only transactions of the same account wait for each other.
    void chain.send(voter, messages, { mayFail: true, gas: 2_000_000 }).catch(() => undefined)
  }
  const jail = async (turn: number) => {
    const pool = LEAVING[turn % LEAVING.length] ?? LEAVING[0]
    await leave(scene, pool)
    await pause(JAIL_PAUSE_MS / 3)
    await comeBack(scene, pool)
  }
  const loops = [
    repeat(PROPOSAL_PAUSE_MS, async (turn) => ids.push(await propose(scene, turn))),
    repeat(TX_PAUSE_MS, voteOrMove),
    repeat(JAIL_PAUSE_MS, jail),
  ]
  return {
    proposals: () => ids.length,
    transactions: () => counts.transactions,
    refusals: () => refusals,
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
      await chain.close()
    },
  }
}
