// Compares decoding by the schema of the chain with compiled types, on message bytes recorded from a real chain.
import { readFileSync } from 'node:fs'
import { builtInSchema } from '../../ingest/schema/built-in.ts'
import { readSchema } from '../../ingest/schema/chain-schema.ts'
import { type AnyMessage, decodeAny } from '../../ingest/schema/message-json.ts'
import { type CompiledType, compiledTypes } from '../support/chain/compiled-types.ts'
import { measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'

const ROUNDS = 200

const recordedMessages = (): AnyMessage[] => {
  const url = new URL('../fixtures/rest-messages.json', import.meta.url)
  const recorded: { typeUrl: string; valueBase64: string }[] = JSON.parse(readFileSync(url, 'utf8'))
  return recorded.map(({ typeUrl, valueBase64 }) => ({
    typeUrl,
    value: Uint8Array.from(Buffer.from(valueBase64, 'base64')),
  }))
}

const canDecode = (
  codecs: ReadonlyMap<string, CompiledType>,
  { typeUrl, value }: AnyMessage,
): boolean => {
  try {
    return codecs.get(typeUrl)?.decode(value) !== undefined
  } catch {
    return false
  }
}

const measureRate = (messages: readonly AnyMessage[], decode: (message: AnyMessage) => unknown) => {
  const startedMs = performance.now()
  for (let round = 0; round < ROUNDS; round += 1) for (const each of messages) decode(each)
  return (messages.length * ROUNDS * 1_000) / (performance.now() - startedMs)
}

const registryCost = (bytes: Uint8Array): string => {
  const before = process.memoryUsage().heapUsed
  const startedMs = performance.now()
  readSchema(bytes)
  const tookMs = performance.now() - startedMs
  const grownMib = (process.memoryUsage().heapUsed - before) / 2 ** 20
  return `a schema of ${bytes.length} bytes: ${tookMs.toFixed(0)} ms, at most ${Math.max(0, grownMib).toFixed(0)} MiB of heap`
}

export const messages: Measurement = {
  name: 'messages',
  question: 'what does decoding a message with the schema of its chain cost?',
  run: async ({ pairs, log }) => {
    const codecs = await compiledTypes()
    // Some compiled types differ from the types of the chain and cannot decode its bytes.
    const known = recordedMessages().filter((message) => canDecode(codecs, message))
    const schema = builtInSchema()
    const cost = registryCost(schema.bytes)
    const measured = await measurePairs(
      {
        subject: async () => measureRate(known, (message) => decodeAny(schema, message)),
        baseline: async () =>
          measureRate(known, ({ typeUrl, value }) => {
            const codec = codecs.get(typeUrl)
            return codec?.toJSON(codec.decode(value))
          }),
      },
      { pairs, log },
    )
    return [
      {
        name: 'messages',
        unit: 'messages/s',
        subject: { label: 'decoded with the schema of the chain', figure: measured.subject },
        baseline: {
          label: 'by compiled types, nested messages left as bytes',
          figure: measured.baseline,
        },
        ratio: measured.ratio,
        target: null,
        notes: [`${known.length} messages from a real chain`, cost],
      },
    ]
  },
}
