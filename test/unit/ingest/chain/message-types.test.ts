// Tests the types of the messages of a proposal: a proposal may have any number of messages.
import { describe, expect, it } from 'vitest'
import { listMessageTypes } from '../../../../ingest/chain/proposal-content.ts'

const listTypes = (types: readonly string[]) =>
  listMessageTypes(types.map((typeUrl) => ({ typeUrl, value: new Uint8Array() })))

describe('the types of many messages', () => {
  it('are the first 20 in order, the number of messages, and each other type once', () => {
    const types = Array.from({ length: 10_000 }, (_, n) => `/test.bank.v1.Msg${n % 30}`)
    expect(listTypes(types)).toEqual({
      messageTypes: types.slice(0, 20),
      messageCount: 10_000,
      furtherMessageTypes: types.slice(20, 30),
    })
  })

  it('take at most some 34 KiB of an event, however many and long they are', () => {
    const types = Array.from({ length: 100_000 }, (_, n) => `/test.v1.Msg${n}`)
    expect(JSON.stringify(listTypes(types)).length).toBeLessThan(64 * 2 ** 10)
  })

  it('are all of 20 messages', () => {
    const types = Array.from({ length: 20 }, (_, n) => `/test.v1.Msg${n}`)
    expect(listTypes(types)).toEqual({ messageTypes: types })
  })
})
