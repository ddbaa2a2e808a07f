// The second minute: governance that votes itself, texts in every script, neutral pools.
import { ABSTAIN, NO, spendFromPool, submit, textContent, vote, YES } from '../messages.ts'
import { TEXTS } from '../proposal-texts.ts'
import { runCampaign } from './campaigns.ts'
import { updateStaking } from './chain-reads.ts'
import { FULL, ROLL, type Story, submitProposal } from './scene.ts'
import {
  changePools,
  jailAndReturn,
  moveStake,
  vanish,
  voteThroughContract,
} from './side-stories.ts'

/** Passes, and then governance votes on it, on another, and submits one itself. */
export const council: Story = async (scene) => {
  await scene.at(54)
  await vanish(scene)
  await scene.at(62)
  const own = scene.governance
  // The ids are given out in order: the next one is this very proposal.
  const next = BigInt(scene.proposals.size + 1)
  const messages = [
    vote(next, own, YES, 'governance, on itself'),
    vote(next + 1n, own, YES, 'governance, on the treasury report'),
    submit(own, { ...TEXTS.followUp, messages: [] }, 5n * ROLL),
  ]
  const id = await submitProposal(scene, 'council', {
    proposer: 'council',
    deposit: FULL,
    messages,
  })
  if (id !== next) throw new Error(`expected proposal ${next}, got ${id}`)
  // The treasury report must outlive it, so that governance's vote on it counts.
  await scene.at(68)
  const receiver = scene.person('treasurer').address
  const report = [
    spendFromPool(own, receiver, 2_500n * ROLL),
    await updateStaking(scene, { maxValidators: 70 }),
  ]
  await submitProposal(scene, 'treasury', {
    proposer: 'treasurer',
    deposit: FULL,
    messages: report,
  })
  await Promise.all([
    runCampaign(scene, {
      key: 'council',
      from: 71,
      to: 130,
      first: YES,
      whales: 'YY.YN.Y..Y',
      pools: 26,
      voters: 100,
      mix: [0.8, 0.1, 0.1, 0],
    }),
    runCampaign(scene, {
      key: 'treasury',
      from: 72,
      to: 140,
      first: YES,
      whales: 'NYYYNYAYYN',
      pools: 31,
      voters: 160,
      mix: [0.6, 0.25, 0.1, 0.05],
    }),
    scene.at(100).then(() => moveStake(scene, 1)),
    scene.at(104).then(() => changePools(scene)),
    jailAndReturn(scene, 95, 150),
    scene.at(120).then(() => voteThroughContract(scene, scene.id('treasury'))),
  ])
}

export const unicode: Story = async (scene) => {
  await scene.at(72)
  await submitProposal(scene, 'unicode', { proposer: 'community', deposit: FULL })
  await runCampaign(scene, {
    key: 'unicode',
    from: 75,
    to: 140,
    first: YES,
    whales: 'Y..Y.N.Y..',
    pools: 18,
    voters: 90,
    mix: [0.75, 0.1, 0.15, 0],
  })
}

export const ethics: Story = async (scene) => {
  await scene.at(76)
  await submitProposal(scene, 'ethics', { proposer: 'council', deposit: FULL })
  await runCampaign(scene, {
    key: 'ethics',
    from: 79,
    to: 145,
    first: ABSTAIN,
    whales: 'AA.AA.AAAA',
    pools: 0,
    voters: 0,
    mix: [0, 0, 1, 0],
  })
}

export const standards: Story = async (scene) => {
  await scene.at(80)
  const { title } = TEXTS.standards
  const messages = [
    textContent(scene.governance, title.slice(0, 120), 'The text is in the summary.'),
  ]
  await submitProposal(scene, 'standards', { proposer: 'core-team', deposit: FULL, messages })
  await runCampaign(scene, {
    key: 'standards',
    from: 83,
    to: 150,
    first: NO,
    whales: 'YNYNYNYANY',
    pools: 35,
    voters: 130,
    mix: [0.45, 0.4, 0.05, 0.1],
  })
}
