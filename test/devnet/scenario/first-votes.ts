// The first minute: votes with nearly every possible end.
import { cancel, NO, softwareUpgrade, spendFromPool, VETO, YES } from '../messages.ts'
import { runCampaign } from './campaigns.ts'
import { updateGovernance } from './chain-reads.ts'
import { addDeposit, EXPEDITED, FULL, ROLL, type Story, submitProposal } from './scene.ts'
import {
  changeMind,
  moveStake,
  voteAtTheBell,
  voteInVain,
  voteThroughAuthz,
  voteThroughContract,
} from './side-stories.ts'

export const constitution: Story = async (scene) => {
  await scene.at(1)
  const id = await submitProposal(scene, 'constitution', { proposer: 'council', deposit: FULL })
  await Promise.all([
    runCampaign(scene, {
      key: 'constitution',
      from: 4,
      to: 70,
      first: YES,
      whales: 'YYYNYAYYNY',
      pools: 33,
      voters: 300,
      mix: [0.7, 0.15, 0.1, 0.05],
    }),
    scene.at(12).then(() => voteThroughAuthz(scene, id)),
    scene.at(16).then(() => voteThroughContract(scene, id)),
    scene.at(25).then(() => changeMind(scene, id, 10)),
    scene.at(40).then(() => moveStake(scene, 0)),
    voteAtTheBell(scene, id, 240),
  ])
  await voteInVain(scene, id)
}

export const quorum: Story = async (scene) => {
  await scene.at(3)
  const messages = [await updateGovernance(scene, { quorum: '0.350000000000000000' })]
  await submitProposal(scene, 'quorum', { proposer: 'core-team', deposit: FULL, messages })
  await runCampaign(scene, {
    key: 'quorum',
    from: 6,
    to: 72,
    first: YES,
    whales: '.Y..N.....',
    pools: 21,
    voters: 120,
    mix: [0.55, 0.35, 0.1, 0],
  })
}

export const ambassadors: Story = async (scene) => {
  await scene.at(4)
  const receiver = scene.person('community').address
  const messages = [spendFromPool(scene.governance, receiver, 1_200_000n * ROLL)]
  // Half the deposit first: a second depositor brings it to the vote.
  await submitProposal(scene, 'ambassadors', {
    proposer: 'community',
    deposit: 40n * ROLL,
    messages,
  })
  await scene.at(9)
  await addDeposit(scene, 'ambassadors', 'depositor', 25n * ROLL)
  await addDeposit(scene, 'ambassadors', 'council', 35n * ROLL)
  await runCampaign(scene, {
    key: 'ambassadors',
    from: 11,
    to: 78,
    first: NO,
    whales: 'NNYYNANNYN',
    pools: 28,
    voters: 180,
    mix: [0.4, 0.45, 0.1, 0.05],
  })
}

export const airdrop: Story = async (scene) => {
  await scene.at(5)
  await submitProposal(scene, 'airdrop', { proposer: 'stranger', deposit: FULL })
  await runCampaign(scene, {
    key: 'airdrop',
    from: 8,
    to: 60,
    first: VETO,
    whales: 'VVVVNVV.VN',
    pools: 36,
    voters: 90,
    mix: [0.05, 0.15, 0.02, 0.78],
  })
}

export const translations: Story = async (scene) => {
  await scene.at(6)
  await submitProposal(scene, 'translations', { proposer: 'community', deposit: FULL })
  await runCampaign(scene, {
    key: 'translations',
    from: 9,
    to: 75,
    whales: '..Y.......',
    pools: 9,
    voters: 60,
    mix: [0.9, 0.05, 0.05, 0],
  })
}

export const bridge: Story = async (scene) => {
  await scene.at(7)
  const receiver = scene.person('security').address
  const messages = [spendFromPool(scene.governance, receiver, 900_000_000n * ROLL)]
  await submitProposal(scene, 'bridge', { proposer: 'security', deposit: FULL, messages })
  await runCampaign(scene, {
    key: 'bridge',
    from: 10,
    to: 74,
    first: YES,
    whales: 'Y.YYN.YY..',
    pools: 25,
    voters: 110,
    mix: [0.8, 0.1, 0.1, 0],
  })
}

/** One never collects its deposit, one is withdrawn before the vote, one during it. */
export const withdrawn: Story = async (scene) => {
  await scene.at(8)
  await submitProposal(scene, 'mascot', { proposer: 'stranger', deposit: 10n * ROLL })
  await submitProposal(scene, 'typo', { proposer: 'core-team', deposit: 30n * ROLL })
  await submitProposal(scene, 'relayers', { proposer: 'treasurer', deposit: FULL })
  await addDeposit(scene, 'mascot', 'depositor', 2n * ROLL)
  const author = scene.person('core-team')
  await scene.at(15)
  await scene.chain.send(author, [cancel(scene.id('typo'), author.address)])
  await runCampaign(scene, {
    key: 'relayers',
    from: 16,
    to: 38,
    whales: '...YN.....',
    pools: 14,
    voters: 70,
    mix: [0.5, 0.4, 0.1, 0],
  })
  await scene.at(42)
  const treasurer = scene.person('treasurer')
  await scene.chain.send(treasurer, [cancel(scene.id('relayers'), treasurer.address)])
}

export const patch: Story = async (scene) => {
  await scene.at(14)
  const messages = [softwareUpgrade(scene.governance, 'v1.4.2', 5_000_000n)]
  await submitProposal(scene, 'patch', {
    proposer: 'security',
    deposit: EXPEDITED,
    expedited: true,
    messages,
  })
  await runCampaign(scene, {
    key: 'patch',
    from: 16,
    to: 36,
    first: YES,
    whales: 'YYYY.YYAYY',
    pools: 38,
    voters: 80,
    mix: [0.95, 0.02, 0.03, 0],
  })
}

export const oracle: Story = async (scene) => {
  await scene.at(18)
  await submitProposal(scene, 'oracle', {
    proposer: 'core-team',
    deposit: EXPEDITED,
    expedited: true,
  })
  const crowd = { key: 'oracle', pools: 30, voters: 100, mix: [0.5, 0.4, 0.1, 0] } as const
  await runCampaign(scene, { ...crowd, from: 20, to: 40, first: NO, whales: 'YNYNYYNYA.' })
  // Round 2 begins empty: some vote again, some do not, some change their vote.
  await runCampaign(scene, {
    ...crowd,
    from: 46,
    to: 90,
    first: YES,
    whales: 'YNYYY.NYY.',
    voters: 140,
    mix: [0.65, 0.25, 0.1, 0],
    round: 2,
  })
}
