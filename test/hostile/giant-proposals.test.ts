// A proposal of any size and a log that rejects it: indexing continues, and omitted parts are named.
import { MsgUpdateClient } from 'cosmjs-types/ibc/core/client/v1/tx'
import { Header } from 'cosmjs-types/ibc/lightclients/tendermint/v1/tendermint'
import { describe, expect, it } from 'vitest'
import { MAX_ENTRY_BYTES } from '../../infra/base/log/event-log.ts'
import type { Message } from '../../ingest/contract/facts.ts'
import { builtInSchema } from '../../ingest/schema/chain-schema.ts'
import type { AnyMessage } from '../../ingest/schema/message-json.ts'
import {
  decodeMessages,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGES_BYTES,
} from '../../ingest/schema/proposal-messages.ts'
import { ingestToTip, ofType } from '../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../support/chain/memory-chain.ts'
import { submit } from '../support/chain/votes.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import { submitTx, voteTx } from '../support/simulator/gov-events.ts'

const readMessages = (messages: readonly AnyMessage[]): Message[] =>
  decodeMessages(builtInSchema(), messages).messages

const countJsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Buffer.from([...bytes, left])
}
const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(content.length), content])

/** A light client's header whose commit has this many empty signatures: 2 bytes each, 60 bytes of JSON. */
const clientUpdate = (signatures: number) => {
  const commit = Buffer.alloc(2 * signatures)
  for (let at = 0; at < commit.length; at += 2) commit[at] = 0x22
  const header = { typeUrl: Header.typeUrl, value: field(1, field(2, commit)) }
  const update = MsgUpdateClient.fromPartial({ clientId: 'c', clientMessage: header })
  return { typeUrl: MsgUpdateClient.typeUrl, value: MsgUpdateClient.encode(update).finish() }
}

describe('the JSON of a message', () => {
  it.each([10_000, 100_000])(
    'is at most 1 MiB for a client update of %i empty signatures',
    (count) => {
      const message = readMessages([clientUpdate(count)])[0]
      expect(countJsonBytes(message)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
    },
  )

  it('is a digest with the reason if it would be longer, and the bytes are kept', () => {
    const message = clientUpdate(30_000)
    const { messages, kept } = decodeMessages(builtInSchema(), [message])
    expect(messages).toEqual([
      {
        '@type': MsgUpdateClient.typeUrl,
        value: { sha256: kept[0]?.sha256, size: message.value.length },
        '@reason': expect.stringContaining('left out'),
      },
    ])
    expect(kept).toEqual([expect.objectContaining({ path: '/value', bytes: message.value })])
  })

  it('is bounded for all messages of a proposal together', () => {
    const all = readMessages(Array.from({ length: 40 }, () => clientUpdate(10_000)))
    expect(all).toHaveLength(40)
    expect(countJsonBytes(all)).toBeLessThan(MAX_MESSAGES_BYTES + 40 * 400)
  })
})

/** Its third height submits a proposal whose summary is as long as this, its fourth votes on it. */
const chainWith = (summaryBytes: number): MemoryChain => {
  const chain = createMemoryChain()
  chain.add()
  chain.add()
  const summary = 'ä'.repeat(summaryBytes / 2)
  chain.add({ txs: [submitTx('1')] }, submit('1', 2, { summary }))
  chain.add({ txs: [voteTx('1', 'alice')] })
  chain.add()
  return chain
}

describe('an event that is too large for the log', () => {
  it('is stored without its largest part, which it and its proposal name, and later heights are indexed', {
    tags: 'ingest:large-event-is-reduced',
  }, async () => {
    const chain = chainWith(20 * 2 ** 20)
    const { logger, lines } = recordingLogger()
    const log = openMemoryLog()
    const events = await ingestToTip(chain, log, { logger })
    const [submitted] = ofType(events, 'rollcall.proposal.submitted.v1')
    expect(submitted?.data).toMatchObject({
      proposal: { title: 'Proposal 1', status: 'voting_period' },
      omitted: [{ path: '/proposal/summary', bytes: 20 * 2 ** 20 + 2 }],
      omittedReason: expect.stringContaining(`the log takes ${MAX_ENTRY_BYTES}`),
    })
    expect(submitted?.data.proposal?.summary).toMatch(/^ä+…$/)
    expect(ofType(events, 'rollcall.vote.cast.v1')).toHaveLength(1)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: 'left out a part of an event: too large',
        paths: ['/proposal/summary'],
      }),
    )
    const [proposal] = foldHeights([events]).final('proposals')
    expect(proposal).toMatchObject({
      history: 'partial',
      history_reason: expect.stringContaining('without /proposal/summary'),
    })
  })
})
