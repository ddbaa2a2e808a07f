// One amount for each option of x/gov. Options of other modules have power and no sum.

export const OPTION_KEYS = ['yes', 'abstain', 'no', 'noWithVeto'] as const

/** Power in atto, unless another amount is named. */
export type OptionSums<Amount = bigint> = Record<(typeof OPTION_KEYS)[number], Amount>
