// Generates the ballots of the provider chain without sending them.
import type { EncodeObject } from '@cosmjs/proto-signing'
import type { Account } from '../accounts.ts'
import { ABSTAIN, NO, VETO, vote, weightedVote, YES } from '../messages.ts'
import { chance } from '../scenario/scene.ts'

/** Every seventh proposal is unpopular, so that a veto also occurs. */
function optionFor(id: bigint, drawn: number) {
  const liking = id % 7n === 3n ? 0.2 : 0.35 + Number(id % 5n) * 0.12
  if (drawn < liking) return YES
  if (drawn < liking + 0.1) return ABSTAIN
  return id % 7n === 3n && drawn > 0.4 ? VETO : NO
}

/** One ballot in six is split, with weights that do not divide evenly. */
export function createVote(id: bigint, voter: Account, wave: number): EncodeObject {
  const drawn = chance('campaign', voter.name, String(id), wave)
  const split = chance('campaign split', voter.name, String(id), wave)
  const option = optionFor(id, drawn)
  if (split < 0.08) {
    return weightedVote(id, voter.address, [
      [YES, '0.333333333333333333'],
      [ABSTAIN, '0.333333333333333333'],
      [NO, '0.333333333333333334'],
    ])
  }
  if (split < 0.16) {
    return weightedVote(id, voter.address, [
      [option, '0.900000000000000001'],
      [option === ABSTAIN ? VETO : ABSTAIN, '0.099999999999999999'],
    ])
  }
  return vote(id, voter.address, option)
}
