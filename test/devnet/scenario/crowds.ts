// Plans and sends the votes of delegators, pools and large holders on each proposal.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { VoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { Account } from '../accounts.ts'
import { ABSTAIN, NO, VETO, vote, voteInThirds, weightedVote, YES } from '../messages.ts'
import { chance, type Scene } from '../scene.ts'

/** The numbers of voters in the plot are of this many; they grow with the voters of the scene. */
export const VOTERS = 340

export type Crowd = {
  /** The votes arrive between these seconds of the scene. */
  seconds: readonly [from: number, to: number]
  /** One letter for the signing pool and for each whale: Y N A V, or a dot for silence. */
  large: string
  /** How many of the other pools, and of the voters, vote. */
  drawn: readonly [pools: number, voters: number]
  /** Percent of yes, no, abstain and veto. */
  mix: readonly [yes: number, no: number, abstain: number, veto: number]
}

const OPTIONS = [YES, NO, ABSTAIN, VETO]
const LETTERS: Readonly<Record<string, VoteOption>> = { Y: YES, N: NO, A: ABSTAIN, V: VETO }

function pick(mix: Crowd['mix'], drawn: number): VoteOption {
  let sum = 0
  const found = mix.findIndex((percent) => {
    sum += percent / 100
    return drawn < sum
  })
  return OPTIONS[found] ?? YES
}

/** One voter in nine splits its vote, in ways that do not divide evenly. `words` draw the same in every run. */
function createBallot(
  id: bigint,
  voter: Account,
  { mix, words }: { mix: Crowd['mix']; words: readonly (string | number)[] },
): EncodeObject {
  const option = pick(mix, chance(...words, voter.name, 'option'))
  const split = chance(...words, voter.name, 'split')
  if (split < 0.04) return voteInThirds(id, voter.address)
  if (split < 0.08) {
    return weightedVote(id, voter.address, [
      [option, '0.7'],
      // The chain rejects a repeated option.
      [option === ABSTAIN ? NO : ABSTAIN, '0.3'],
    ])
  }
  if (split < 0.11) {
    return weightedVote(id, voter.address, [
      [YES, '0.000000000000000001'],
      [NO, '0.999999999999999999'],
    ])
  }
  const note = split > 0.97 ? `because: <i>${voter.name}</i> "read it"` : ''
  return vote(id, voter.address, option, note)
}

/** Sends every vote at its time and waits for the last to be in a block. `round` is a salt, so that people change their minds. */
export async function voteInCrowd(scene: Scene, name: string, crowd: Crowd, round = 1) {
  const [from, to] = crowd.seconds
  const words = [name, round] as const
  const sendAt = async (voter: Account, createVote: (id: bigint) => EncodeObject) => {
    await scene.at(from + (to - from) * chance(...words, voter.name, 'when'))
    // On a busy machine the last of them are too late.
    await scene.send(voter, [createVote(scene.id(name))], { mayFail: true })
  }
  const large = [...scene.operators.slice(0, 1), ...scene.whales].map(async (voter, index) => {
    const option = LETTERS[crowd.large[index] ?? '.']
    if (option !== undefined) await sendAt(voter, (id) => vote(id, voter.address, option))
  })
  const draw = (accounts: readonly Account[], count: number) =>
    [...accounts]
      .sort((a, b) => chance(name, a.name, 'drawn') - chance(name, b.name, 'drawn'))
      .slice(0, count)
  const [pools, voters] = crowd.drawn
  const count = Math.round((voters * scene.voters.length) / VOTERS)
  const drawn = [...draw(scene.operators.slice(1), pools), ...draw(scene.voters, count)]
  const { mix } = crowd
  const others = drawn.map((voter) =>
    sendAt(voter, (id) => createBallot(id, voter, { mix, words })),
  )
  await Promise.all([...large, ...others])
}
