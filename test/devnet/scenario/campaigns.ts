// Plans the votes of delegators, pools and large holders on each proposal.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { VoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { Account } from '../accounts.ts'
import { ABSTAIN, NO, VETO, vote, weightedVote, YES } from '../messages.ts'
import type { ProposalKey } from '../proposal-texts.ts'
import { chance, type Scene } from './scene.ts'

/** Shares of yes, no, abstain, veto; they need not add up to 1, the last non-zero takes the rest. */
type Mix = readonly [yes: number, no: number, abstain: number, veto: number]

export type Campaign = {
  key: ProposalKey
  /** Seconds of the scene between which the votes arrive. */
  from: number
  to: number
  /** How the signing pool votes; absent, it does not. */
  first?: VoteOption
  /** One letter per whale: Y N A V, or a dot for silence. */
  whales?: string
  /** How many of the forty other pools vote, and how. */
  pools?: number
  /** How many delegators vote for themselves, and how. */
  voters: number
  mix: Mix
  /** Salt for a second round, so that people change their minds. */
  round?: number
}

const LETTERS: Record<string, VoteOption> = { Y: YES, N: NO, A: ABSTAIN, V: VETO }
const THIRDS = ['0.333333333333333333', '0.333333333333333333', '0.333333333333333334'] as const

function pick(mix: Mix, drawn: number): VoteOption {
  const options = [YES, NO, ABSTAIN, VETO]
  let sum = 0
  let chosen: VoteOption = YES
  for (const [index, share] of mix.entries()) {
    if (share === 0) continue
    chosen = options[index] ?? YES
    sum += share
    if (drawn < sum) return chosen
  }
  return chosen
}

/** One voter in nine splits its vote, in ways that do not divide evenly. */
function ballot(id: bigint, voter: Account, campaign: Campaign): EncodeObject {
  const drawn = chance(campaign.key, voter.name, campaign.round ?? 1, 'option')
  const split = chance(campaign.key, voter.name, campaign.round ?? 1, 'split')
  if (split < 0.04) {
    return weightedVote(id, voter.address, [
      [YES, THIRDS[0]],
      [ABSTAIN, THIRDS[1]],
      [NO, THIRDS[2]],
    ])
  }
  if (split < 0.08) {
    const chosen = pick(campaign.mix, drawn)
    // The chain rejects a repeated option.
    const other = chosen === ABSTAIN ? NO : ABSTAIN
    return weightedVote(id, voter.address, [
      [chosen, '0.7'],
      [other, '0.3'],
    ])
  }
  if (split < 0.11)
    return weightedVote(id, voter.address, [
      [YES, '0.000000000000000001'],
      [NO, '0.999999999999999999'],
    ])
  const note = split > 0.97 ? `because: <i>${voter.name}</i> "read it"` : ''
  return vote(id, voter.address, pick(campaign.mix, drawn), note)
}

type Cast = { at: number; voter: Account; option?: VoteOption }

function casts(scene: Scene, campaign: Campaign): Cast[] {
  const { from, to, key } = campaign
  const computeVoteTime = (voter: Account) =>
    from + (to - from) * chance(key, voter.name, campaign.round ?? 1, 'when')
  const all: Cast[] = []
  const [first, ...others] = scene.operators
  if (campaign.first !== undefined && first) {
    all.push({ at: computeVoteTime(first), voter: first, option: campaign.first })
  }
  for (const [index, letter] of [...(campaign.whales ?? '')].entries()) {
    const voter = scene.whales[index]
    const option = LETTERS[letter]
    if (voter && option !== undefined) all.push({ at: computeVoteTime(voter), voter, option })
  }
  const sample = (from: readonly Account[], count: number) =>
    [...from]
      .sort((a, b) => chance(key, a.name, 'drawn') - chance(key, b.name, 'drawn'))
      .slice(0, count)
  for (const voter of sample(others, campaign.pools ?? 0))
    all.push({ at: computeVoteTime(voter), voter })
  for (const voter of sample(scene.voters, campaign.voters))
    all.push({ at: computeVoteTime(voter), voter })
  return all.sort((a, b) => a.at - b.at)
}

/** Sends every vote at its time and waits for the last to be in a block. */
export async function runCampaign(scene: Scene, campaign: Campaign): Promise<number> {
  const id = scene.id(campaign.key)
  const pending: Promise<unknown>[] = []
  for (const cast of casts(scene, campaign)) {
    await scene.at(cast.at)
    const message =
      cast.option === undefined
        ? ballot(id, cast.voter, campaign)
        : vote(id, cast.voter.address, cast.option)
    pending.push(scene.chain.send(cast.voter, [message]))
  }
  await Promise.all(pending)
  return pending.length
}
