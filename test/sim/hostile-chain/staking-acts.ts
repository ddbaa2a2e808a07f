// Random staking actions: tiny and huge amounts, into tiny pools and out of slashed pools.

import type { EventSketch } from '../../support/simulator/blocks.ts'
import {
  addValidator,
  delegate,
  getShares,
  redelegate,
  slash,
  undelegate,
} from '../../support/simulator/keepers/staking.ts'
import {
  createValidatorMessage,
  delegateMessage,
  type Message,
  redelegateMessage,
  slashEvents,
  undelegateMessage,
  unjailMessage,
} from '../../support/simulator/messages.ts'
import type { Rolls } from '../dice.ts'
import { ABSURD_TEXTS } from './absurd.ts'
import type { World } from './profile.ts'

/** Odd amounts, so that shares and tokens never divide without a remainder. */
const AMOUNTS: readonly bigint[] = [
  1n,
  7n,
  999_983n,
  1_000_003n,
  77_777_777n,
  10n ** 9n + 7n,
  10n ** 13n + 37n,
]
const OUT_OF_ALL_PROPORTION = 10n ** 27n + 1n

export const createStakingActs = ({ staking, delegators }: World, rolls: Rolls) => {
  let created = 0
  const validators = () => [...staking.validators.values()]
  const anyone = (): string =>
    rolls.happens(30) ? rolls.pick(validators()).name : rolls.pick(delegators)
  const amount = (): bigint =>
    rolls.happens(4) ? OUT_OF_ALL_PROPORTION : rolls.pick(AMOUNTS) * BigInt(1 + rolls.below(9))

  /** A part of one delegation, occasionally all of it. */
  const holding = (): { delegator: string; validator: string; tokens: bigint } | undefined => {
    const delegator = anyone()
    const delegatedTo = [...(staking.delegations.get(delegator)?.keys() ?? [])]
    if (delegatedTo.length === 0) return undefined
    const validator = rolls.pick(delegatedTo)
    const { tokens, shares } = staking.validators.get(validator)!
    const worth = (getShares(staking, delegator, validator) * tokens) / shares
    const part = rolls.happens(25) ? worth : (worth * BigInt(1 + rolls.below(99))) / 100n
    return { delegator, validator, tokens: part }
  }
  const enter = (): Message[] => {
    const [delegator, validator] = [anyone(), rolls.pick(validators()).name]
    const tokens = amount()
    const issued = delegate(staking, { delegator, validator, tokens })
    return issued === undefined ? [] : [delegateMessage(delegator, validator, tokens)]
  }
  const leave = (): Message[] => {
    const from = holding()
    const tokens = from && undelegate(staking, from)
    return tokens === undefined ? [] : [undelegateMessage(from!.delegator, from!.validator, tokens)]
  }
  const change = (height: number): Message[] => {
    const from = holding()
    const to = rolls.pick(validators()).name
    const tokens = from && redelegate(staking, { ...from, to, height })
    if (tokens === undefined) return []
    return [redelegateMessage(from!.delegator, { from: from!.validator, to, tokens })]
  }
  const unjail = (): Message[] => {
    const jailed = validators().filter(
      (each) => each.jailed && getShares(staking, each.name, each.name) > 0n,
    )
    if (jailed.length === 0) return enter()
    const validator = rolls.pick(jailed)
    validator.jailed = false
    return [unjailMessage(validator.name)]
  }
  /** Occasionally by an account that has delegated and voted before. */
  const create = (): Message[] => {
    const name = rolls.happens(50) ? rolls.pick(delegators) : `late-${++created}`
    if (staking.validators.has(name)) return []
    addValidator(staking, name, rolls.pick(ABSURD_TEXTS))
    const tokens = amount()
    delegate(staking, { delegator: name, validator: name, tokens })
    return [createValidatorMessage(name, tokens)]
  }
  /** Several in one transaction, which share its events. */
  const several = (height: number): Message[] =>
    [enter, leave, () => change(height)].filter(() => rolls.happens(60)).flatMap((go) => go())

  return {
    move: (height: number): Message[] => {
      const rolled = rolls.below(100)
      if (rolled < 35) return enter()
      if (rolled < 57) return leave()
      if (rolled < 82) return change(height)
      if (rolled < 91) return unjail()
      if (rolled < 95) return create()
      return several(height)
    },
    /** One bonded validator loses stake and is jailed; never the last one. */
    slash: (): EventSketch[] => {
      const bonded = validators().filter(({ status, jailed }) => status === 'bonded' && !jailed)
      if (bonded.length < 2) return []
      const validator = rolls.pick(bonded)
      const isDouble = rolls.happens(50)
      const percent = BigInt(isDouble ? rolls.pick([5, 33, 100]) : rolls.pick([0, 1, 2]))
      const burned = slash(staking, { validator: validator.name, percent })
      validator.jailed = true
      const reason = isDouble ? 'double_sign' : 'missing_signature'
      return slashEvents(validator.name, { reason, burned })
    },
  }
}
