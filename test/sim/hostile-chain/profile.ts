// The properties of a hostile chain by seed: stake changes, block sizes and unusual values; and its initial state.
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

export type Profile = {
  heights: number
  /** Where ingest begins: 1, or in the middle of votes. */
  startHeight: number
  validators: number
  maxValidators: number
  delegators: number
  quietPercent: number
  mostActs: number
  /** Percentage of actions that move stake; the others belong to governance. */
  stakePercent: number
  slashPercent: number
  absurdPercent: number
  cutPercent: number
  unreadableVotes: boolean
  /** Number of events of the crowded transaction of a height. */
  crowdAt(height: number): number
  /** Empty signatures in a light client header of a proposal: each has two bytes, and a hundred as JSON. */
  giantSignatures: number
  /** Heights with missing state for some queries. */
  losesState: boolean
  /** Whether two HTTP endpoints serve the chain instead of memory. */
  overRpc: boolean
  /** Items on a page of any list that the node answers. */
  pageSize: number
  /** How often ingest and the projections are killed. */
  kills: number
  /** Whether the height is at the tip when it is indexed: behind it, no open vote is read. */
  isLive(height: number): boolean
}

/** Two endpoints have the whole chain from the start. */
const LIVE_HEIGHTS = 10

/** More than the arguments limit of a function call. */
const BEYOND_ARGUMENTS = 531_000

export const createProfile = (dice: Dice): Profile => {
  const heights = 30 + dice.roll(25, 'heights')
  const hugeAt = dice.roll(50, 'huge') === 0 ? 5 + dice.roll(heights - 10, 'huge at') : 0
  const crowdPercent = dice.pick([0, 10, 30], 'crowd')
  const crowdMost = dice.pick([200, 2_000, 9_000], 'crowd most')
  const overRpc = dice.happens(20, 'over RPC')
  const isLossy = dice.happens(20, 'is lossy')
  return {
    heights,
    startHeight: dice.happens(25, 'starts late') ? 5 + dice.roll(15, 'start') : 1,
    validators: 4 + dice.roll(6, 'validators'),
    maxValidators: 2 + dice.roll(6, 'max validators'),
    delegators: 5 + dice.roll(8, 'delegators'),
    quietPercent: dice.pick([5, 25, 50], 'quiet'),
    mostActs: dice.pick([3, 6, 12], 'acts'),
    stakePercent: dice.pick([30, 50, 70], 'stake'),
    slashPercent: dice.pick([2, 10, 30], 'slash'),
    absurdPercent: dice.pick([0, 20, 60], 'absurd'),
    cutPercent: dice.pick([0, 10], 'cut'),
    unreadableVotes: isLossy && dice.happens(50, 'unreadable'),
    crowdAt: (height) => {
      if (height === hugeAt) return BEYOND_ARGUMENTS
      if (!dice.happens(crowdPercent, 'crowded', height)) return 0
      return 1 + dice.roll(crowdMost, 'crowd size', height)
    },
    giantSignatures: dice.pick(
      [0, 0, 0, 3_000, 20_000, dice.happens(15, 'giant') ? 160_000 : 0],
      'giant',
    ),
    losesState: isLossy && dice.happens(60, 'loses state'),
    overRpc,
    // Over HTTP every page costs a round trip.
    pageSize: overRpc ? 100 : dice.pick([2, 5, 100, 100], 'page size'),
    kills: dice.pick([0, 1, 3], 'kills'),
    isLive: (height) => !overRpc || heights - height <= LIVE_HEIGHTS,
  }
}

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
