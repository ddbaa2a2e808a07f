// The rules by which chains tally votes: what counts, and which account votes with the stake of silent owners.
import { type Static, Type } from 'typebox'

export const TallyStrategy = Type.Enum(['inherit', 'no_inheritance', 'governors', 'none'], {
  title: 'TallyStrategy',
  description:
    'Which account votes with the stake of an owner who does not vote. `inherit`: the operator of its pool (x/gov). ' +
    '`no_inheritance`: none. `governors`: the governor of the owner. `none`: the chain has its own rules.',
})
export type TallyStrategy = Static<typeof TallyStrategy>

/** What counts in each rule, and the strategy of its tally. */
export const TALLY_RULES = {
  gov: { strategy: 'inherit', means: 'all bonded pools count (x/gov)' },
  provider: {
    strategy: 'inherit',
    means:
      'only the bonded pools with the most power count, and their sum is the base of the quorum (Interchain Security)',
  },
  superfluid: { strategy: 'inherit', means: 'stake of superfluid locks counts too (Osmosis)' },
  liquid_stake: {
    strategy: 'inherit',
    means: 'tokens that stand for staked ones count too (Kava)',
  },
  tiered_stake: { strategy: 'inherit', means: 'stake of reward positions counts too (Cronos POS)' },
  no_inheritance: {
    strategy: 'no_inheritance',
    means: 'stake counts only with a vote of its owner',
  },
  governors: {
    strategy: 'governors',
    means: 'governors, not operators, vote with the stake of silent owners (AtomOne)',
  },
  own: { strategy: 'none', means: 'the chain has rules that Rollcall does not know' },
} as const satisfies Record<string, { strategy: TallyStrategy; means: string }>

export type TallyRule = keyof typeof TALLY_RULES
const RULES = Object.keys(TALLY_RULES) as TallyRule[]

const describeRule = (rule: TallyRule): string => `\`${rule}\`: ${TALLY_RULES[rule].means}`

export const TallyRule = Type.Enum(RULES, {
  title: 'TallyRule',
  description: `What a tally counts. ${RULES.map(describeRule).join('. ')}.`,
})

/** The rule that a configured strategy names. */
export const RULE_OF_STRATEGY: Readonly<Record<TallyStrategy, TallyRule>> = {
  inherit: 'gov',
  no_inheritance: 'no_inheritance',
  governors: 'governors',
  none: 'own',
}

/** The member of an event that names its rule, as read by `readRule`. Absent for x/gov's own rule. */
export const ruleMembers = (rule: TallyRule): { rule?: TallyRule } =>
  rule === 'gov' ? {} : { rule }

export const readRule = ({ rule = 'gov' }: { rule?: TallyRule | undefined }): TallyRule => rule
