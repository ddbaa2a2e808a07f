// x/staking of a simulated chain, by the rules of its keeper: tokens, shares, slashing, jailing, redelegations, the bonded set.
// It changes only the given state; an action that the chain rejects returns undefined and changes nothing.
import { ATTO, quo } from '../../../../ingest/contract/decimal.ts'

export type ValidatorStatus = 'bonded' | 'unbonding' | 'unbonded'
export type Validator = {
  readonly name: string
  moniker: string
  tokens: bigint
  /** In atto. */
  shares: bigint
  status: ValidatorStatus
  jailed: boolean
  /** The height at which unbonding ends. */
  maturesAt: number
  /** Power in consensus; 0 while not bonded. */
  lastPower: bigint
}

type Redelegation = {
  delegator: string
  from: string
  to: string
  /** In atto. */
  sharesAtDestination: bigint
  initialBalance: bigint
  maturesAt: number
}

export type Staking = {
  validators: Map<string, Validator>
  /** Delegator → validator → shares in atto. */
  delegations: Map<string, Map<string, bigint>>
  redelegations: Redelegation[]
  maxValidators: number
}

/** Tokens of one unit of consensus power; a validator with less is never bonded. */
const POWER_REDUCTION = 1_000_000n
const UNBONDING_HEIGHTS = 9

export const createStaking = (maxValidators: number): Staking => ({
  validators: new Map(),
  delegations: new Map(),
  redelegations: [],
  maxValidators,
})

export const getShares = ({ delegations }: Staking, delegator: string, validator: string): bigint =>
  delegations.get(delegator)?.get(validator) ?? 0n

const setShares = (staking: Staking, delegator: string, validator: string, shares: bigint) => {
  const delegations = staking.delegations.get(delegator) ?? new Map<string, bigint>()
  if (shares === 0n) delegations.delete(validator)
  else delegations.set(validator, shares)
  staking.delegations.set(delegator, delegations)
}

export const addValidator = (staking: Staking, name: string, moniker: string): Validator => {
  const validator: Validator = {
    name,
    moniker,
    tokens: 0n,
    shares: 0n,
    jailed: false,
    status: 'unbonded',
    maturesAt: 0,
    lastPower: 0n,
  }
  staking.validators.set(name, validator)
  return validator
}

/** The shares that were issued. */
export const delegate = (
  staking: Staking,
  { delegator, validator: name, tokens }: { delegator: string; validator: string; tokens: bigint },
): bigint | undefined => {
  const validator = staking.validators.get(name)
  if (!validator || tokens <= 0n) return undefined
  // Slashed to zero tokens, so there is no exchange rate.
  if (validator.tokens === 0n && validator.shares > 0n) return undefined
  const { shares: all } = validator
  const issued = all === 0n ? tokens * ATTO : (all * tokens) / validator.tokens
  validator.tokens += tokens
  validator.shares += issued
  setShares(staking, delegator, name, getShares(staking, delegator, name) + issued)
  return issued
}

/** The unbonded tokens. The delegation has at least these shares. */
const unbond = (
  staking: Staking,
  { delegator, validator: name, shares }: { delegator: string; validator: string; shares: bigint },
): bigint => {
  const validator = staking.validators.get(name)!
  const left = getShares(staking, delegator, name) - shares
  setShares(staking, delegator, name, left)
  const toTokens = (some: bigint) => quo(some * validator.tokens, validator.shares) / ATTO
  // Less than the smallest self-delegation: the validator is jailed without an event.
  if (delegator === name && toTokens(left) < 1n) validator.jailed = true
  const tokens = validator.shares === shares ? validator.tokens : toTokens(shares)
  validator.tokens -= tokens
  validator.shares -= shares
  if (validator.shares === 0n && validator.status === 'unbonded') staking.validators.delete(name)
  return tokens
}

type Withdrawal = { delegator: string; validator: string; tokens: bigint }

/** Tokens → shares, at most all shares of the delegator; undefined if the chain rejects it. */
const sharesToUnbond = (
  staking: Staking,
  { delegator, validator: name, tokens }: Withdrawal,
): bigint | undefined => {
  const validator = staking.validators.get(name)
  const delegatedShares = getShares(staking, delegator, name)
  if (!validator || delegatedShares === 0n || tokens <= 0n || validator.tokens === 0n)
    return undefined
  const shares = (validator.shares * tokens) / validator.tokens
  return shares === 0n || shares > delegatedShares ? undefined : shares
}

/** The unbonded tokens. */
export const undelegate = (staking: Staking, withdrawal: Withdrawal): bigint | undefined => {
  const shares = sharesToUnbond(staking, withdrawal)
  return shares === undefined ? undefined : unbond(staking, { ...withdrawal, shares })
}

export const redelegate = (
  staking: Staking,
  { to, height, ...withdrawal }: Withdrawal & { to: string; height: number },
): bigint | undefined => {
  const { delegator, validator: from } = withdrawal
  const destination = staking.validators.get(to)
  if (!destination || from === to) return undefined
  if (destination.tokens === 0n && destination.shares > 0n) return undefined
  // A redelegation that has not matured must not be redelegated again.
  const isTransitive = staking.redelegations.some(
    (each) => each.delegator === delegator && each.to === from,
  )
  if (isTransitive) return undefined
  const shares = sharesToUnbond(staking, withdrawal)
  if (shares === undefined) return undefined
  const tokens = unbond(staking, { ...withdrawal, shares })
  const issued = delegate(staking, { delegator, validator: to, tokens })
  if (issued === undefined) return tokens
  staking.redelegations.push({
    delegator,
    from,
    to,
    sharesAtDestination: issued,
    initialBalance: tokens,
    maturesAt: height + UNBONDING_HEIGHTS,
  })
  return tokens
}

/** Slashes `percent` of the current tokens, and redelegated tokens at other validators without an event. */
export const slash = (
  staking: Staking,
  { validator: name, percent }: { validator: string; percent: bigint },
): bigint => {
  const validator = staking.validators.get(name)!
  let left = (validator.tokens * percent) / 100n
  for (const entry of staking.redelegations.filter(({ from }) => from === name)) {
    const { delegator, to } = entry
    left -= (entry.initialBalance * percent) / 100n
    const delegatedShares = getShares(staking, delegator, to)
    const slashedShares = (entry.sharesAtDestination * percent) / 100n
    const shares = slashedShares < delegatedShares ? slashedShares : delegatedShares
    if (shares > 0n) unbond(staking, { delegator, validator: to, shares })
  }
  const burned = left < 0n ? 0n : left < validator.tokens ? left : validator.tokens
  validator.tokens -= burned
  return burned
}

const computePower = ({ tokens }: Validator): bigint => tokens / POWER_REDUCTION

/** In the order of the power index, which has no jailed validators. */
const byPower = ({ validators }: Staking): Validator[] =>
  [...validators.values()]
    .filter(({ jailed }) => !jailed)
    .sort((left, right) => {
      const difference = computePower(right) - computePower(left)
      if (difference !== 0n) return difference > 0n ? 1 : -1
      return left.name < right.name ? -1 : 1
    })

export type PowerUpdate = { validator: string; power: bigint }

const startUnbonding = (validator: Validator, height: number) => {
  validator.status = 'unbonding'
  validator.lastPower = 0n
  validator.maturesAt = height + UNBONDING_HEIGHTS
}

/** The end of a block: updates the bonded set and matured entries. */
export const endStakingBlock = (staking: Staking, height: number): PowerUpdate[] => {
  const chosen = byPower(staking)
    .filter((validator) => computePower(validator) > 0n)
    .slice(0, staking.maxValidators)
  const updates: PowerUpdate[] = []
  for (const validator of chosen) {
    const power = computePower(validator)
    validator.status = 'bonded'
    if (validator.lastPower !== power) updates.push({ validator: validator.name, power })
    validator.lastPower = power
  }
  for (const validator of [...staking.validators.values()]) {
    if (validator.status === 'bonded' && !chosen.includes(validator)) {
      startUnbonding(validator, height)
      updates.push({ validator: validator.name, power: 0n })
    }
    if (validator.status !== 'unbonding' || validator.maturesAt > height) continue
    validator.status = 'unbonded'
    if (validator.shares === 0n) staking.validators.delete(validator.name)
  }
  staking.redelegations = staking.redelegations.filter(({ maturesAt }) => maturesAt > height)
  return updates
}

/** The balance of the bonded pool's account. */
export const bondedTokens = ({ validators }: Staking): bigint =>
  [...validators.values()].reduce(
    (sum, { status, tokens }) => (status === 'bonded' ? sum + tokens : sum),
    0n,
  )

/** Validators that governance counts, in the order of the power index. */
export const countedValidators = (staking: Staking): Validator[] =>
  byPower(staking)
    .filter(({ status }) => status === 'bonded')
    .slice(0, staking.maxValidators)
