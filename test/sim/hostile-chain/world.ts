// The initial state of one hostile chain.

import { createGovernance, type Governance } from '../../support/simulator/keepers/governance.ts'
import {
  addValidator,
  createStaking,
  delegate,
  endStakingBlock,
  type Staking,
} from '../../support/simulator/keepers/staking.ts'
import { createRolls, type Dice } from '../dice.ts'
import { ABSURD_TEXTS } from './absurd.ts'
import type { Profile } from './profile.ts'

export type World = {
  staking: Staking
  governance: Governance
  /** Accounts that delegate and vote; validators' own accounts vote too. */
  delegators: readonly string[]
}

/** Initial tokens of validators in base units: very small and very large in one set. */
const SELF_DELEGATIONS: readonly bigint[] = [1_000_003n, 9_999_991n, 190_000_013n, 10n ** 12n + 39n]

export const createWorld = (dice: Dice, profile: Profile): World => {
  const rolls = createRolls(dice, 'world')
  const staking = createStaking(profile.maxValidators)
  const delegators = Array.from({ length: profile.delegators }, (_, at) => `delegator-${at}`)
  for (let at = 0; at < profile.validators; at++) {
    const validator = addValidator(staking, `pool-${at}`, rolls.pick(ABSURD_TEXTS))
    const { name } = validator
    delegate(staking, { delegator: name, validator: name, tokens: rolls.pick(SELF_DELEGATIONS) })
    for (const delegator of delegators.filter(() => rolls.happens(35))) {
      const tokens = 1n + BigInt(rolls.below(2 ** 31))
      delegate(staking, { delegator, validator: name, tokens })
    }
    // Slashed at the start: a share is worth less than a token, with a remainder.
    if (rolls.happens(50)) validator.tokens -= validator.tokens / BigInt(3 + rolls.below(40))
  }
  endStakingBlock(staking, 0)
  return {
    staking,
    delegators,
    governance: createGovernance(),
  }
}
