// `rollcall replay`: the events of the log as NDJSON, for a pipe.
import { createByteSink } from '../../base/runtime/byte-sink.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import {
  type Command,
  type CommandContext,
  parseProposalId,
  refuseArguments,
  textOption,
  UsageError,
} from './command.ts'
import { RANGE_OPTIONS, readRange } from './height-range.ts'
import { openLog } from './log-access.ts'

const fullType = (name: string): string => (/^rollcall\./.test(name) ? name : `rollcall.${name}.v1`)

const readTypes = async (context: CommandContext): Promise<ReadonlySet<string> | undefined> => {
  const given = textOption(context, 'type')
  if (given === undefined) return undefined
  const { GovernanceEvent } = await import('../../../ingest/contract/events.ts')
  const known = GovernanceEvent.anyOf.map(({ properties }) => properties.type.const as string)
  const types = given.split(',').map((name) => fullType(name.trim()))
  const unknown = types.find((type) => !known.includes(type))
  if (unknown === undefined) return new Set(types)
  const short = known.map((type) => type.replace(/^rollcall\.|\.v1$/g, ''))
  throw new UsageError(`unknown event type ${unknown}; types: ${short.join(', ')}`)
}

const readProposal = (context: CommandContext): string | undefined => {
  const given = textOption(context, 'proposal')
  return given === undefined ? undefined : parseProposalId(given)
}

export const replay: Command = {
  name: 'replay',
  summary: 'print the events of the log as NDJSON',
  options: {
    ...RANGE_OPTIONS,
    type: {
      type: 'string',
      value: '<names>',
      description: 'only these types, separated by commas, such as vote.cast',
    },
    proposal: { type: 'string', value: '<id>', description: 'only events of this proposal' },
    follow: {
      type: 'boolean',
      description: 'keep printing new events until Ctrl-C',
    },
    json: { type: 'boolean', description: 'no effect: the output is always JSON' },
  },
  examples: [
    {
      line: 'rollcall replay --from 1000 --to 2000 --type vote.cast | jq -r .data.voter',
      description: 'print the voters in these heights',
    },
    { line: 'rollcall replay --proposal 7 --follow', description: 'follow one proposal live' },
  ],
  run: async (context) => {
    refuseArguments(context, replay)
    const { signal, options, process, terminal } = context
    const { from = 0, to = Number.POSITIVE_INFINITY } = readRange(context)
    const filter = { types: await readTypes(context), proposalId: readProposal(context) }
    const { replayLog } = await import('../tools/log/replay.ts')
    const { log, close } = await openLog(context)
    try {
      const sink = createByteSink(process.stdout, signal)
      const follow = options['follow'] === true
      const { undecodable } = await replayLog({ log, from, to, filter, follow, sink, signal })
      if (undecodable > 0) terminal.log(`skipped ${undecodable} undecodable records`)
      return EXIT_CODES.ok
    } finally {
      await close()
    }
  },
}
