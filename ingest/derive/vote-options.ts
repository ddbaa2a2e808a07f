// Parses the `option` attribute of a vote, in the format of every SDK version.
import { weightedOptions } from '../chain/proposal-content.ts'
import type { WeightedOption } from '../contract/facts.ts'

type Raw = { option: number; weight: string }

/** A map: the text comes from the chain and may be the name of an inherited property. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['VOTE_OPTION_UNSPECIFIED', 0],
  ['VOTE_OPTION_YES', 1],
  ['VOTE_OPTION_ABSTAIN', 2],
  ['VOTE_OPTION_NO', 3],
  ['VOTE_OPTION_NO_WITH_VETO', 4],
  ['Yes', 1],
  ['Abstain', 2],
  ['No', 3],
  ['NoWithVeto', 4],
])

const toOptionNumber = (option: unknown): number | undefined => {
  // Go's `omitempty` omits the unspecified option.
  if (option === undefined) return 0
  if (typeof option === 'number') return Number.isInteger(option) ? option : undefined
  if (typeof option !== 'string') return undefined
  return /^\d{1,9}$/.test(option) ? Number(option) : NUMBERS.get(option)
}

const rawOption = (option: unknown, weight: unknown): Raw | undefined => {
  const number = toOptionNumber(option)
  return number === undefined || typeof weight !== 'string' ? undefined : { option: number, weight }
}

const fromJson = (text: string): Raw | undefined => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { option, weight } = value as Record<string, unknown>
  return rawOption(option, weight)
}

/** SDK 0.46 and 0.47: gogoproto's compact text. */
const COMPACT = /^(?:option:(\w+) )?weight:"([^"]*)"$/

const fromLine = (line: string): Raw | undefined => {
  if (line.startsWith('{')) return fromJson(line)
  const compact = COMPACT.exec(line)
  if (compact) return rawOption(compact[1], compact[2])
  // Before SDK 0.43 there were no weights.
  const option = NUMBERS.get(line)
  return option === undefined ? undefined : { option, weight: '1' }
}

const rawOptions = (text: string): (Raw | undefined)[] => {
  if (!text.startsWith('[')) {
    const lines = text.split('\n').map((line) => line.trim())
    return lines.filter((line) => line !== '').map(fromLine)
  }
  const list = JSON.parse(text) as unknown[]
  return list.map((each) => fromJson(JSON.stringify(each)))
}

/** Undefined if the format is unknown. */
export const parseVoteOptions = (text: string): WeightedOption[] | undefined => {
  try {
    const options = rawOptions(text.trim())
    const read = options.filter((option) => option !== undefined)
    return read.length === 0 || read.length < options.length ? undefined : weightedOptions(read)
  } catch {
    return undefined
  }
}
