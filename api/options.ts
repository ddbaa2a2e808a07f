// The vote options: their names on the chain and in sums, and their fill and label on pages.

/** In the order of pages. */
export const OPTIONS = [
  { option: 'yes', sum: 'yes', fill: 'yes', label: 'Yes' },
  { option: 'no', sum: 'no', fill: 'no', label: 'No' },
  { option: 'no_with_veto', sum: 'noWithVeto', fill: 'veto', label: 'No with veto' },
  { option: 'abstain', sum: 'abstain', fill: 'abstain', label: 'Abstain' },
] as const

export type Fill = (typeof OPTIONS)[number]['fill']

export const findOption = (name: string) => OPTIONS.find(({ option }) => option === name)

/** The label of an option. An unknown option keeps the name from the chain. */
export const optionName = (name: string): string => findOption(name)?.label ?? name
