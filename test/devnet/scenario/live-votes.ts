// The last minute, whose blocks a replay adds one by one: one vote closes, others stay open to the end.
import { spendFromPool, YES } from '../messages.ts'
import { type Campaign, runCampaign } from './campaigns.ts'
import { readGovernanceProposal, updateStaking } from './chain-reads.ts'
import {
  addDeposit,
  EXPEDITED,
  FULL,
  ROLL,
  SCENE_SECONDS,
  type Story,
  submitProposal,
} from './scene.ts'
import {
  changeMind,
  moveStake,
  voteAtTheBell,
  voteThroughAuthz,
  voteThroughContract,
} from './side-stories.ts'

/** Closes during the live part. */
export const commission: Story = async (scene) => {
  await scene.at(142)
  const messages = [await updateStaking(scene, { minCommissionRate: '50000000000000000' })]
  const id = await submitProposal(scene, 'communityTax', {
    proposer: 'council',
    deposit: FULL,
    messages,
  })
  await Promise.all([
    runCampaign(scene, {
      key: 'communityTax',
      from: 146,
      to: 214,
      first: YES,
      whales: 'YNYYN.YAYN',
      pools: 34,
      voters: 220,
      mix: [0.55, 0.35, 0.08, 0.02],
    }),
    scene.at(170).then(() => moveStake(scene, 2)),
    scene.at(185).then(() => voteThroughAuthz(scene, id)),
    scene.at(188).then(() => changeMind(scene, id, 60)),
    voteAtTheBell(scene, id, 260),
    scene.at(216.9).then(() => moveStake(scene, 4)),
  ])
}

/** Submitted by governance when the council's proposal passed; another account pays its deposit. */
export const followUp: Story = async (scene) => {
  await scene.at(146)
  scene.proposals.set('followUp', await readGovernanceProposal(scene))
  await addDeposit(scene, 'followUp', 'depositor', FULL)
  await runCampaign(scene, {
    key: 'followUp',
    from: 150,
    to: 218,
    first: YES,
    whales: 'Y.Y.Y...N.',
    pools: 20,
    voters: 60,
    mix: [0.7, 0.2, 0.1, 0],
  })
}

export const smartAccounts: Story = async (scene) => {
  await scene.at(174)
  const id = await submitProposal(scene, 'smartAccounts', { proposer: 'core-team', deposit: FULL })
  const live: Campaign = {
    key: 'smartAccounts',
    from: 178,
    to: SCENE_SECONDS - 2,
    first: YES,
    whales: 'YNNYAYN.YY',
    pools: 38,
    voters: 310,
    mix: [0.5, 0.38, 0.1, 0.02],
  }
  await Promise.all([
    runCampaign(scene, live),
    scene.at(200).then(() => voteThroughContract(scene, id)),
    scene.at(210).then(() => changeMind(scene, id, 90)),
    scene.at(216).then(() => moveStake(scene, 3)),
  ])
}

export const outage: Story = async (scene) => {
  await scene.at(194)
  const receiver = scene.person('community').address
  const messages = [spendFromPool(scene.governance, receiver, 40_000n * ROLL)]
  await submitProposal(scene, 'outage', {
    proposer: 'community',
    deposit: EXPEDITED,
    expedited: true,
    messages,
  })
  const crowd = { key: 'outage', pools: 24, voters: 90, mix: [0.5, 0.4, 0.1, 0] } as const
  await runCampaign(scene, { ...crowd, from: 197, to: 216, first: YES, whales: 'YNNYN.AYN.' })
  await runCampaign(scene, {
    ...crowd,
    from: 222,
    to: SCENE_SECONDS - 3,
    whales: 'YYN.......',
    voters: 70,
    round: 2,
  })
}

export const hackathon: Story = async (scene) => {
  await scene.at(224)
  await submitProposal(scene, 'hackathon', { proposer: 'community', deposit: 15n * ROLL })
  await scene.at(231)
  await addDeposit(scene, 'hackathon', 'depositor', 20n * ROLL)
}
