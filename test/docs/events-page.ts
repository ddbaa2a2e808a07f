// The page of all event types, from their schemas and one stored example each. Pure except for reading the examples.
import { readFileSync } from 'node:fs'
import { MAX_ENTRY_BYTES } from '../../infra/base/log/event-log.ts'
import {
  EventEnvelope,
  type EventNotes,
  ORDINAL,
  SUB_LIMIT,
} from '../../ingest/contract/envelope.ts'
import { GovernanceEvent } from '../../ingest/contract/events.ts'
import { fieldTable, listFields, type Schema, shapeSections } from './field-tables.ts'

export const EVENTS_PAGE = new URL('../../ingest/contract/EVENTS.md', import.meta.url)

/** One event of each type, as ingest writes it. */
const EXAMPLES_FILE = new URL('../fixtures/event-examples.json', import.meta.url)
/** Maximum list length in an example. */
const MAX_ENTRIES = 2

export const storedExamples = (): GovernanceEvent[] =>
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as GovernanceEvent[]

export type EventSchema = Schema & EventNotes & { $id: string; properties: { data: Schema } }

export const eventSchemas = (): EventSchema[] =>
  GovernanceEvent.anyOf.map((schema) => schema as unknown as EventSchema)

const introduction = (): string => `# Events

This page is generated: \`npm run docs:events\` writes it from the schemas in this directory. Do not edit it.

The event log has one event for each governance fact of the chain. An event is a CloudEvents 1.0 envelope as JSON in
UTF-8. Its \`type\` defines \`data\`. An event has at most ${MAX_ENTRY_BYTES.toLocaleString('en')} bytes.

## Envelope

${fieldTable(listFields(EventEnvelope as Schema))}

Two members may be in the \`data\` of every event. Only an event that was too large for the log has them:

${fieldTable(listFields(eventSchemas()[0]!.properties.data).filter(({ path }) => path.startsWith('omitted')))}

## Order

The log is totally ordered: by \`height\`, then by \`index\`. The position of an event is \`height · 2^32 + index\`.
The index is \`ordinal · ${SUB_LIMIT} + sub\`, with \`sub\` below ${SUB_LIMIT}. The ordinals of a height are:

| ordinal | events |
|---|---|
| ${ORDINAL.before} | \`chain.snapshot\` at the first height of the log, with the \`proposal.context\` and \`message.bytes\` of its proposals; at later heights \`light-block.observed\`, \`validators.observed\`, \`proposal.proof\` |
| ${ORDINAL.firstAbciEvent} to ${ORDINAL.lastAbciEvent} | governance events of the block: the rank of the ABCI event in the block, from 1; after one that ended a round, its \`round.read\` |
| ${ORDINAL.firstReading} to ${ORDINAL.lastReading} | \`proposal.reconciled\` of proposals that no event of the block is about, with their \`round.read\` |
| ${ORDINAL.history} | \`vote.reconstructed\` and \`round.read\` of votes before the first indexed height |
| ${ORDINAL.after} | \`round.read\` of open votes, \`proposal.context\` |
| ${ORDINAL.marker} | \`block.indexed\` |

In a block where the rank of a governance event is above ${ORDINAL.lastAbciEvent}, all governance events of that height
count 1, 2, 3, … by themselves. Events of failed transactions are not in the log.

## What a consumer may rely on

- A height is appended whole or not at all. Its last event is \`block.indexed\`; several heights without events share one.
- Heights are in order, without a gap. Each marker names the hash of the block before the heights that it covers.
- An \`id\` is in the log once. Nothing in the log changes or goes away.
- The block alone decides the ids of its governance events: the same block gives the same ids in every log.
- A value that the node could not return is null or absent, and another field has the reason.
- Amounts, shares and rates are decimal strings, never JSON numbers.
- The order of members in a JSON object has no meaning. The description of a list defines its order.
- Events of the ordinal ${ORDINAL.history} are read behind the tip: their heights differ between two logs of one chain, their data does not.
- \`tip\` of a marker, the heights that a marker covers, and the readings of open votes may differ between two logs of one chain.

## Versions

A type is immutable. A field may be added as an optional one; none is renamed or removed, and none changes its meaning.
A breaking change is a new type that ends in \`.v2\`. Ignore fields that you do not know. Skip types that you do not know, and
keep their position.`

const shortName = (type: string): string => type.replace(/^rollcall\.|\.v1$/g, '')

const anchor = (type: string): string => type.replaceAll('.', '')

const index = (): string =>
  [
    '## Types',
    '',
    '| type | description |',
    '|---|---|',
    ...eventSchemas().map(
      ({ $id, description }) =>
        `| [\`${shortName($id)}\`](#${anchor($id)}) | ${description.replace(/(?<=[.]) .*/, '')} |`,
    ),
  ].join('\n')

const section = (schema: EventSchema, example: unknown): string => {
  const { $id, title, description, properties } = schema
  const fields = listFields(properties.data).filter(({ path }) => !path.startsWith('omitted'))
  return `### ${$id}

**${title}.** ${description}

- **When**: ${schema['x-written']}
- **State**: ${schema['x-state']}
- **Order**: ${schema['x-order']}

${fieldTable(fields)}

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\``
}

export const eventsPage = (): string => {
  const examples = new Map(storedExamples().map((event) => [event.type as string, event]))
  const sections = eventSchemas().map((schema) => section(schema, examples.get(schema.$id)))
  return `${[
    introduction(),
    index(),
    `The examples are events as ingest writes them. Lists of more than ${MAX_ENTRIES} entries are cut to ${MAX_ENTRIES}.`,
    ...sections,
    '## Schemas',
    shapeSections(),
  ].join('\n\n')}\n`
}
