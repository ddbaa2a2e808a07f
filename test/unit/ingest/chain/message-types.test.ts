// Tests the types of the messages of a proposal: a proposal may have any number of messages.
import { expect, it } from 'vitest'
import { listMessageTypes } from '../../../../ingest/chain/proposal-content.ts'

const listTypes = (types: readonly string[]) =>
  listMessageTypes(types.map((typeUrl) => ({ typeUrl, value: new Uint8Array() })))

it('the types of many messages are the first 20 in order, their number, and each other type once', () => {
  const types = Array.from({ length: 10_000 }, (_, n) => `/test.bank.v1.Msg${n % 30}`)
  expect(listTypes(types)).toEqual({
    messageTypes: types.slice(0, 20),
    messageCount: 10_000,
    furtherMessageTypes: types.slice(20, 30),
  })
  const all = Array.from({ length: 100_000 }, (_, n) => `/test.v1.Msg${n}`)
  expect(JSON.stringify(listTypes(all)).length).toBeLessThan(64 * 2 ** 10)
})
