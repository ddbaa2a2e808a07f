// Tests of the bytes of long fields of messages in the API, with a real ClickHouse.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { toPosition } from '../../ingest/contract/envelope.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { clearReadModel, proposalRow, seed } from '../support/store/read-model-seed.ts'
import type { MessageBytesRow } from '../support/store/stored-rows.ts'
import { useTestStore } from '../support/store/test-store.ts'

const CHUNK_BYTES = 384 * 1_024
const HEIGHT = 9

const createBytes = (size: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 256))

/** The rows of a field, and its placeholder in the message. */
const createField = (proposalId: string, message: number, path: string, bytes: Buffer) => {
  const reference = { sha256: hash('sha256', bytes, 'hex'), size: bytes.length }
  const chunks = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES))
  const rows = Array.from({ length: chunks }, (_, chunk): MessageBytesRow => {
    const part = bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES)
    return {
      proposal_id: proposalId,
      message,
      path,
      chunk,
      chunks,
      sha256: reference.sha256,
      size: `${reference.size}`,
      bytes: part.toString('base64'),
      version: toPosition({ height: HEIGHT, index: 1 }).toString(),
    }
  })
  return { reference, rows }
}

const code = createBytes(2 * CHUNK_BYTES + 1_000)
const large = createBytes(48 * CHUNK_BYTES)
const nested = createBytes(5_000)

const STORE_CODE = '/cosmwasm.wasm.v1.MsgStoreCode'
const UPDATE = '/cosmos.gov.v1.MsgUpdateParams'
const EXEC = '/cosmos.authz.v1beta1.MsgExec'

const codeField = createField('7', 1, '/wasm_byte_code', code)
const nestedField = createField('7', 2, '/msgs/0/odd~1na~0me', nested)
const cutOff = createField('7', 3, '/wasm_byte_code', code)
const replaced = createField('7', 4, '/wasm_byte_code', nested)
const largeField = createField('8', 0, '/wasm_byte_code', large)
const other = { sha256: 'ab'.repeat(32), size: 5_000 }

const messages = [
  // An object of the author that looks like a placeholder, and is not one.
  { '@type': UPDATE, params: { quorum: '0.35', note: codeField.reference } },
  { '@type': STORE_CODE, wasm_byte_code: codeField.reference, label: { ...other, href: '/evil' } },
  { '@type': EXEC, msgs: [{ '@type': '/x.v1.MsgA', 'odd/na~me': nestedField.reference }] },
  { '@type': STORE_CODE, wasm_byte_code: cutOff.reference },
  { '@type': STORE_CODE, wasm_byte_code: other },
]

const proposals = [
  proposalRow(7, HEIGHT, {
    messages: JSON.stringify(messages),
    message_types: [UPDATE, STORE_CODE, EXEC],
  }),
  proposalRow(8, HEIGHT, {
    messages: JSON.stringify([{ '@type': STORE_CODE, wasm_byte_code: largeField.reference }]),
    message_types: [STORE_CODE],
  }),
  proposalRow(9, HEIGHT, { message_types: ['/cosmos.gov.v10.MsgA'] }),
]

const testStore = useTestStore(async (store) => {
  await clearReadModel(store)
  await seed(store, {
    height: HEIGHT,
    proposals,
    messageBytes: [
      ...codeField.rows,
      ...nestedField.rows,
      ...replaced.rows,
      ...largeField.rows,
      ...cutOff.rows.slice(0, -1),
    ],
    marks: [{ id: 7 }, { id: 8, final: true }, { id: 9 }],
  })
})

const setup = () => createApiRig(testStore.store)

const CODE = '/api/proposals/7/messages/1/bytes?path=%2Fwasm_byte_code'

it('the detail of a proposal links long fields with stored bytes, and no object that only looks like one', async () => {
  const { get } = await setup()
  const [update, stored, exec, cut, different] = (await get('/api/proposals/7')).messages
  expect(update).toEqual(messages[0])
  const code = { ...codeField.reference, href: CODE }
  expect(stored).toEqual({ ...messages[1], wasm_byte_code: code })
  const href = '/api/proposals/7/messages/2/bytes?path=%2Fmsgs%2F0%2Fodd~1na~0me'
  expect(exec.msgs[0]['odd/na~me']).toEqual({ ...nestedField.reference, href })
  expect(cut).toEqual(messages[3])
  expect(different).toEqual(messages[4])
})

describe('the bytes of a long field', () => {
  it('are sent whole as a file that caches can store, also those of a nested field', async () => {
    const { ask, get } = await setup()
    const { status, headers, bytes } = await ask(CODE)
    expect(status).toBe(200)
    expect(bytes.equals(code)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': `${code.length}`,
      'content-disposition': 'attachment; filename="proposal-7-message-1-wasm_byte_code.bin"',
      'cache-control': 'public, max-age=86400, immutable',
      'x-content-type-options': 'nosniff',
      etag: `"${codeField.reference.sha256}"`,
      ratelimit: expect.any(String),
    })
    expect(headers).not.toHaveProperty('content-encoding')
    const { messages: shown } = await get('/api/proposals/7')
    const inner = await ask(shown[2].msgs[0]['odd/na~me'].href)
    expect(inner.bytes.equals(nested)).toBe(true)
    expect(inner.headers['content-disposition']).toContain('message-2-odd_1na_0me.bin')
  })

  it('are omitted for a client with the current ETag, and for HEAD', async () => {
    const { ask, store } = await setup()
    const etag = `"${codeField.reference.sha256}"`
    const again = await ask(CODE, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag])
    const before = store.selects
    const head = await ask(CODE, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers).toMatchObject({ etag, 'content-length': `${code.length}` })
    expect(store.selects).toBe(before)
  })

  it.each([
    ['no such message', '/api/proposals/7/messages/9/bytes?path=/wasm_byte_code'],
    ['no such field', '/api/proposals/7/messages/1/bytes?path=/label'],
    ['a short field', '/api/proposals/7/messages/0/bytes?path=/params/quorum'],
    ['a field with missing chunks', '/api/proposals/7/messages/3/bytes?path=/wasm_byte_code'],
    ['a field of another proposal', '/api/proposals/9/messages/0/bytes?path=/wasm_byte_code'],
  ])('are a problem for %s', async (_, url) => {
    const { ask } = await setup()
    expectProblem(await ask(url), 404, 'message-bytes-not-found')
  })
})

describe('the bytes of a field with many megabytes', () => {
  const listening = async () => {
    const rig = await setup()
    await rig.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = rig.app.server.address() as AddressInfo
    const open = async (): Promise<IncomingMessage> => {
      const path = '/api/proposals/8/messages/0/bytes?path=/wasm_byte_code'
      const clientRequest = request({ host: '127.0.0.1', port, path, agent: false })
      clientRequest.on('error', () => undefined).end()
      const [response] = await once(clientRequest, 'response')
      return response
    }
    return { ...rig, open }
  }

  it('are read as fast as the client accepts them, and arrive complete', async () => {
    const { open, store, close } = await listening()
    const response = await open()
    // The buffers of a slow machine are full late.
    let whileItWaits = 0
    while (store.selects !== whileItWaits || whileItWaits === 0) {
      whileItWaits = store.selects
      await pause(1_000)
    }
    expect(whileItWaits).toBeLessThan(40)
    const received = Buffer.concat(await response.toArray())
    expect(received.equals(large)).toBe(true)
    expect(store.selects).toBeGreaterThanOrEqual(48)
    await close()
  })

  it('are sent to a limited number of clients per address; another one waits for a free slot', async () => {
    const { open, close } = await listening()
    const slow = await Promise.all(Array.from({ length: 4 }, open))
    let isAnswered = false
    const next = open().then((response) => {
      isAnswered = true
      return response
    })
    await pause(300)
    expect(isAnswered).toBe(false)
    slow[0]?.destroy()
    const response = await next
    expect(response.statusCode).toBe(200)
    for (const each of [...slow, response]) each.destroy()
    await close()
  })
})
