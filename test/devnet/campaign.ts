// The devnet's large campaign: many parallel votes of a thousand delegators with moving stake.
import { setTimeout as sleep } from 'node:timers/promises'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { type Account, createAccounts } from './accounts.ts'
import { createStakeMove, firstDelegations } from './campaign/stake-moves.ts'
import type { Devnet } from './chain.ts'
import type { Periods } from './genesis.ts'
import { coin, submit } from './messages.ts'
import { createVote } from './provider/ballots.ts'
import { reportDoubleSign } from './provider/double-sign.ts'
import { comeBack, leave } from './scenario/leaving-pools.ts'
import { chance, createScene, EXPEDITED, FULL, ROLL, type Scene } from './scenario/scene.ts'
import { nth } from './scenario/side-stories.ts'
import { connectChain, eventValue } from './transactions.ts'

/** A busy machine needs more than a minute for all transactions of the voters. */
export const CAMPAIGN_PERIODS: Periods = {
  votingSeconds: 90,
  expeditedSeconds: 20,
  depositSeconds: 30,
}
const REGULAR = 22
const EXPEDITED_COUNT = 2
/** Time between two proposals, so that they also close one after the other. */
const STEP_SECONDS = 0.8
/** Pause before the first close and after the last one. */
const MARGIN_SECONDS = 4
const ALLOWANCE = 18_000n * ROLL
const OUTPUTS_PER_TX = 260
const BELL_PAUSE_MS = 120
/** Pools by their index in the genesis; none of them was slashed before it. */
const LEAVES_EARLY = 25
const LEAVES_FOR_GOOD = 28
const SIGNS_TWICE = 12
export const JAILED_AT_THE_END = [SIGNS_TWICE, LEAVES_FOR_GOOD] as const

export type CampaignPlayed = { proposals: readonly bigint[]; voters: number; lastHeight: number }

/** `count` of the proposals, drawn for this voter. */
function drawProposals(
  ids: readonly bigint[],
  voter: Account,
  { count, wave }: { count: number; wave: number },
): bigint[] {
  const rank = (id: bigint) => chance('campaign draw', voter.name, String(id), wave)
  return [...ids].sort((a, b) => rank(a) - rank(b)).slice(0, count)
}

async function fund(scene: Scene): Promise<void> {
  const faucet = scene.person('faucet')
  for (let from = 0; from < scene.voters.length; from += OUTPUTS_PER_TX) {
    const voters = scene.voters.slice(from, from + OUTPUTS_PER_TX)
    const total = ALLOWANCE * BigInt(voters.length)
    const value = MsgMultiSend.fromPartial({
      inputs: [{ address: faucet.address, coins: [coin(total)] }],
      outputs: voters.map(({ address }) => ({ address, coins: [coin(ALLOWANCE)] })),
    })
    const message = { typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value }
    await scene.chain.send(faucet, [message], { gas: 60_000_000 })
  }
  await Promise.all(
    scene.voters.map((voter) =>
      scene.chain.send(voter, firstDelegations(scene, voter), { gas: 3_000_000 }),
    ),
  )
}

/** Times in seconds of the scene. A restarted expedited vote closes when a regular one would. */
type Submitted = { id: bigint; closesAt: number }

async function propose(scene: Scene, index: number): Promise<Submitted> {
  await scene.at(index * STEP_SECONDS)
  const expedited = index < EXPEDITED_COUNT
  const proposer = scene.person(index % 2 === 0 ? 'council' : 'community')
  const text = {
    title: `Campaign ${index + 1}`,
    summary: 'One of many that are voted on at the same time.',
    metadata: 'of the campaign',
    expedited,
    messages: [],
  }
  const message = submit(proposer.address, text, expedited ? EXPEDITED : FULL)
  const outcome = await scene.chain.send(proposer, [message], { gas: 3_000_000 })
  return {
    id: BigInt(eventValue(outcome, 'submit_proposal', 'proposal_id')),
    closesAt: scene.seconds() + CAMPAIGN_PERIODS.votingSeconds,
  }
}

async function proposeAll(scene: Scene, from: number, to: number): Promise<Submitted[]> {
  const submitted: Submitted[] = []
  for (let index = from; index < to; index++) submitted.push(await propose(scene, index))
  return submitted
}

type Wave = { wave: number; from: number; to: number; count: number; ids: readonly bigint[] }

/** Each voter once in the wave's time, on some of the proposals. */
async function castWave(scene: Scene, voters: readonly Account[], is: Wave): Promise<void> {
  const computeVoteTime = (voter: Account) =>
    is.from + (is.to - is.from) * chance('campaign when', voter.name, is.wave)
  await Promise.all(
    voters.map(async (voter) => {
      await scene.at(computeVoteTime(voter))
      const ballots = drawProposals(is.ids, voter, is).map((id) => createVote(id, voter, is.wave))
      // An expedited vote may have closed; the chain then refuses all of the transaction.
      await scene.chain.send(voter, ballots, { mayFail: true, gas: 6_000_000 })
    }),
  )
}

/** Votes and stake moves in every block, from before the first close until after the last. */
async function ringTheBell(scene: Scene, submitted: readonly Submitted[]): Promise<void> {
  const pending: Promise<unknown>[] = []
  const last = nth(submitted, submitted.length - 1)
  await scene.at(nth(submitted, 0).closesAt - 1)
  for (let turn = 0; scene.seconds() < last.closesAt + 1; turn++) {
    const voter = nth(scene.voters, (turn * 7) % scene.voters.length)
    // The proposal that closes next: some of these votes are too late.
    const { id } = submitted.find(({ closesAt }) => closesAt > scene.seconds()) ?? last
    const messages =
      turn % 2 === 0
        ? [createVote(id, voter, 9)]
        : [createStakeMove(scene, voter, Math.floor(turn / 2))]
    pending.push(scene.chain.send(voter, messages, { mayFail: true, gas: 2_000_000 }))
    await sleep(BELL_PAUSE_MS)
  }
  await Promise.all(pending)
}

async function moveStakeMeanwhile(scene: Scene): Promise<void> {
  const pending: Promise<unknown>[] = []
  const from = scene.seconds()
  for (let turn = 0; turn < 90; turn++) {
    await scene.at(from + turn * 0.4)
    const voter = nth(scene.voters, (turn * 11 + 3) % scene.voters.length)
    const message = createStakeMove(scene, voter, turn)
    pending.push(scene.chain.send(voter, [message], { mayFail: true, gas: 2_000_000 }))
  }
  await Promise.all(pending)
}

async function punish(scene: Scene, firstClose: number): Promise<void> {
  await scene.at(scene.seconds() + 8)
  await leave(scene, LEAVES_EARLY)
  await scene.at(firstClose + 4)
  await leave(scene, LEAVES_FOR_GOOD)
  await scene.at(firstClose + 8)
  await reportDoubleSign(scene.chain.rpc, String(SIGNS_TWICE), scene.chain.tip().height - 3)
  await scene.at(firstClose + 12)
  await comeBack(scene, LEAVES_EARLY)
}

const getLargeAccounts = ({ operators, whales }: Scene) => [...operators, ...whales]

/** Large accounts decide the expedited votes while the other proposals are submitted. */
const voteEarly = (scene: Scene, ids: readonly bigint[]): Promise<void> =>
  castWave(scene, getLargeAccounts(scene), { wave: 1, from: 3, to: 15, count: ids.length, ids })

async function voteAll(scene: Scene, submitted: readonly Submitted[]): Promise<void> {
  const ids = submitted.map(({ id }) => id)
  const from = scene.seconds() + 1
  const to = nth(submitted, 0).closesAt - MARGIN_SECONDS
  const shared = { from, to, ids: ids.slice(EXPEDITED_COUNT) }
  await Promise.all([
    castWave(scene, getLargeAccounts(scene), { ...shared, wave: 2, count: 15 }),
    castWave(scene, scene.voters, { ...shared, wave: 3, count: 4 }),
    // A third of the voters change their vote, or vote in the second round of an expedited proposal.
    castWave(scene, scene.voters.slice(0, Math.floor(scene.voters.length / 3)), {
      ...shared,
      wave: 4,
      from: from + 14,
      count: 3,
      ids,
    }),
  ])
}

/** On a chain with `CAMPAIGN_PERIODS`; ends when every vote is closed. */
export async function playCampaign(
  devnet: Devnet,
  options: { voters: number; progress?: (line: string) => void },
): Promise<CampaignPlayed> {
  const { progress = () => {} } = options
  const names = Array.from({ length: options.voters }, (_, index) => `campaign voter ${index}`)
  const voters = await createAccounts(names)
  const chain = await connectChain(devnet.rpcUrl, devnet.spec.chainId)
  try {
    await chain.untilHeight(2)
    const scene = createScene(devnet, chain, voters)
    await fund(scene)
    scene.begin()
    progress(`the campaign begins at height ${chain.tip().height}, ${voters.length} voters staked`)
    const expedited = await proposeAll(scene, 0, EXPEDITED_COUNT)
    const [regular] = await Promise.all([
      proposeAll(scene, EXPEDITED_COUNT, EXPEDITED_COUNT + REGULAR),
      voteEarly(
        scene,
        expedited.map(({ id }) => id),
      ),
    ])
    const submitted = [...expedited, ...regular]
    const [first, last] = [nth(submitted, 0), nth(submitted, submitted.length - 1)]
    progress(`${submitted.length} proposals are open at height ${chain.tip().height}`)
    await Promise.all([
      voteAll(scene, submitted),
      ringTheBell(scene, submitted),
      moveStakeMeanwhile(scene),
      punish(scene, first.closesAt),
    ])
    await scene.at(last.closesAt + MARGIN_SECONDS)
    const lastHeight = chain.tip().height
    await chain.untilHeight(lastHeight + 1)
    progress(`the campaign ended at height ${lastHeight}`)
    return { proposals: submitted.map(({ id }) => id), voters: voters.length, lastHeight }
  } finally {
    await chain.close()
  }
}
