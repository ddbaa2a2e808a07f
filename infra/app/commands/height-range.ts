// The options `--from` and `--to` of commands that read a range of heights.
import { type CommandContext, numberOption, type Option, UsageError } from './command.ts'

export type HeightRange = { from: number | undefined; to: number | undefined }

export const RANGE_OPTIONS: Readonly<Record<keyof HeightRange, Option>> = {
  from: {
    type: 'string',
    value: '<height>',
    description: 'first height (default: first of the log)',
  },
  to: { type: 'string', value: '<height>', description: 'last height (default: last of the log)' },
}

export const readRange = (context: CommandContext): HeightRange => {
  const from = numberOption(context, 'from', { min: 0 })
  const to = numberOption(context, 'to', { min: 0 })
  if (from !== undefined && to !== undefined && from > to) {
    throw new UsageError(`--from ${from} must not be above --to ${to}`)
  }
  return { from, to }
}
