// Tests the events for the messages of a proposal: related state, long bytes, and the schema of the chain.
import { describe, expect, it } from 'vitest'
import type { AbciAnswer } from '../../../ingest/comet/endpoints/node.ts'
import { builtInSchema } from '../../../ingest/schema/built-in.ts'
import { close } from '../../support/chain/gov-story.ts'
import { ingestToTip, ofType } from '../../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../../support/chain/memory-chain.ts'
import { createFile, encodeFileSet } from '../../support/chain/schema-files.ts'
import { addSubmission, storeCode, updateParams } from '../../support/chain/submissions.ts'
import { openMemoryLog } from '../../support/log/memory-log.ts'
import { endEvent } from '../../support/simulator/gov-events.ts'

const PASSED = 3

/** The proposal passes, and can change the quorum of the chain. */
const addPassing = (chain: MemoryChain, id: string, quorum?: string): void => {
  chain.add({ end: [endEvent(id, 'proposal_passed')] }, (state) => {
    close(id, PASSED, '1')(state)
    if (quorum !== undefined) state.params = { ...state.params, quorum }
  })
}

const observed = (events: Awaited<ReturnType<typeof ingestToTip>>) =>
  ofType(events, 'rollcall.proposal.context.v1').map(({ height, data }) => ({
    height,
    proposalId: data.proposalId,
    quorums: data.observations
      .filter(({ query }) => query === '/cosmos.gov.v1.Query/Params')
      .map(({ response }) => Reflect.get(Reflect.get(response ?? {}, 'params') ?? {}, 'quorum')),
  }))

describe('the context of a proposal', () => {
  it('has the parameters at the submission, after the submission events', async () => {
    const chain = createMemoryChain()
    chain.add()
    addSubmission(chain, '1', [updateParams('0.400000000000000000')])
    const events = await ingestToTip(chain, openMemoryLog())
    const [context] = ofType(events, 'rollcall.proposal.context.v1')
    expect(context?.data.observations).toEqual([
      {
        query: '/cosmos.gov.v1.Query/Params',
        request: {},
        response: expect.objectContaining({
          params: expect.objectContaining({
            quorum: '0.334000000000000000',
            max_deposit_period: '600s',
          }),
        }),
        reason: null,
      },
    ])
    const types = events.filter(({ height }) => height === 2).map(({ type }) => type)
    expect(types.indexOf('rollcall.proposal.context.v1')).toBeGreaterThan(
      types.indexOf('rollcall.proposal.submitted.v1'),
    )
  })

  it('is read again when another proposal passes', async () => {
    const chain = createMemoryChain()
    chain.add()
    addSubmission(chain, '1', [updateParams('0.400000000000000000')])
    addSubmission(chain, '2', [])
    addSubmission(chain, '3', [])
    addPassing(chain, '2')
    addPassing(chain, '3', '0.350000000000000000')
    expect(observed(await ingestToTip(chain, openMemoryLog()))).toEqual([
      { height: 2, proposalId: '1', quorums: ['0.334000000000000000'] },
      { height: 5, proposalId: '1', quorums: ['0.334000000000000000'] },
      { height: 6, proposalId: '1', quorums: ['0.350000000000000000'] },
    ])
  })

  it('is the same after a restart', async () => {
    const chain = createMemoryChain()
    const log = openMemoryLog()
    chain.add()
    addSubmission(chain, '1', [updateParams('0.400000000000000000')])
    addSubmission(chain, '2', [])
    await ingestToTip(chain, log)
    addPassing(chain, '2', '0.350000000000000000')
    expect(observed(await ingestToTip(chain, log)).map(({ height }) => height)).toEqual([2, 4])
  })

  it('is not read for a proposal that has ended', async () => {
    const chain = createMemoryChain()
    chain.add()
    addSubmission(chain, '1', [updateParams('0.400000000000000000')])
    addSubmission(chain, '2', [])
    addPassing(chain, '1', '0.400000000000000000')
    addPassing(chain, '2', '0.350000000000000000')
    expect(observed(await ingestToTip(chain, openMemoryLog()))).toHaveLength(1)
  })

  it('of open proposals is written with the first snapshot of a log', async () => {
    const chain = createMemoryChain()
    chain.add()
    addSubmission(chain, '1', [updateParams('0.400000000000000000')])
    chain.add()
    const events = await ingestToTip(chain, openMemoryLog(), { env: { START_HEIGHT: '3' } })
    expect(observed(events)).toEqual([
      { height: 3, proposalId: '1', quorums: ['0.334000000000000000'] },
    ])
  })
})

describe('the long bytes of a message', () => {
  const code = Uint8Array.from({ length: 1_000_000 }, (_, at) => at % 251)

  const bytesIn = (events: Awaited<ReturnType<typeof ingestToTip>>): Buffer =>
    Buffer.concat(
      ofType(events, 'rollcall.message.bytes.v1').map(({ data }) =>
        Buffer.from(data.bytes, 'base64'),
      ),
    )

  it('follow the submission in chunks', async () => {
    const chain = createMemoryChain()
    chain.add()
    addSubmission(chain, '1', [updateParams('0.4'), storeCode(code)])
    const events = await ingestToTip(chain, openMemoryLog())
    expect(bytesIn(events).equals(code)).toBe(true)
    const chunks = ofType(events, 'rollcall.message.bytes.v1')
    expect(chunks.map(({ data }) => [data.chunk, data.chunks, data.message, data.path])).toEqual([
      [0, 3, 1, '/wasm_byte_code'],
      [1, 3, 1, '/wasm_byte_code'],
      [2, 3, 1, '/wasm_byte_code'],
    ])
    const [submitted] = ofType(events, 'rollcall.proposal.submitted.v1')
    const { sha256, size } = chunks[0]!.data
    expect(submitted?.data.messages[1]).toMatchObject({ wasm_byte_code: { sha256, size } })
  })

  it('follow a snapshot', async () => {
    const chain = createMemoryChain()
    chain.add()
    addSubmission(chain, '1', [storeCode(code)])
    chain.add()
    const events = await ingestToTip(chain, openMemoryLog(), { env: { START_HEIGHT: '3' } })
    expect(bytesIn(events).equals(code)).toBe(true)
  })
})

const value = (bytes: Uint8Array): AbciAnswer => ({ kind: 'value', value: bytes })

/** Reports the current value of `software` as its version. */
const reflecting = (
  chain: MemoryChain,
  software: { version: string; files: Uint8Array },
): MemoryChain => {
  const { abciQuery } = chain
  return Object.assign(Object.create(chain), {
    abciQuery: async (request: Parameters<MemoryChain['abciQuery']>[0]) => {
      if (request.path === '/app/version') return value(Buffer.from(software.version))
      const isFiles = request.path === '/cosmos.reflection.v1.ReflectionService/FileDescriptors'
      return isFiles ? value(software.files) : await abciQuery(request)
    },
  })
}

describe('the schema of a chain', () => {
  const withFile = (name: string): Uint8Array =>
    Buffer.concat([
      builtInSchema().bytes,
      encodeFileSet(createFile(name, { messageType: [{ name }] })),
    ])
  const hashes = (events: Awaited<ReturnType<typeof ingestToTip>>) =>
    ofType(events, 'rollcall.schema.observed.v1').map(({ height, data }) => [height, data.hash])

  it('is written at the first height of the log, once, and each marker names it', async () => {
    const chain = createMemoryChain()
    const log = openMemoryLog()
    const node = reflecting(chain, { version: '1', files: withFile('One') })
    chain.add()
    addSubmission(chain, '1', [])
    await ingestToTip(node, log)
    addSubmission(chain, '2', [])
    const events = await ingestToTip(node, log)
    expect(hashes(events)).toEqual([[1, expect.stringMatching(/^[0-9a-f]{64}$/)]])
    const [schema] = ofType(events, 'rollcall.schema.observed.v1')
    const markers = ofType(events, 'rollcall.block.indexed.v1')
    expect(new Set(markers.map(({ data }) => data.schemaHash))).toEqual(
      new Set([schema?.data.hash]),
    )
  })

  it('is read again after a software change of the node', async () => {
    const chain = createMemoryChain()
    const software = { version: '1', files: withFile('One') }
    const log = openMemoryLog()
    chain.add()
    addSubmission(chain, '1', [])
    await ingestToTip(reflecting(chain, software), log)
    Object.assign(software, { version: '2', files: withFile('Two') })
    addSubmission(chain, '2', [])
    const events = await ingestToTip(reflecting(chain, software), log)
    expect(hashes(events).map(([height]) => height)).toEqual([1, 3])
  })

  it('that cannot be used changes nothing: messages are decoded with the built-in schema', async () => {
    const chain = createMemoryChain()
    const node = reflecting(chain, {
      version: '1',
      files: encodeFileSet(createFile('a'), createFile('a')),
    })
    chain.add()
    addSubmission(chain, '1', [updateParams('0.4')])
    const events = await ingestToTip(node, openMemoryLog())
    expect(hashes(events)).toEqual([])
    const [submitted] = ofType(events, 'rollcall.proposal.submitted.v1')
    expect(submitted?.data.messages[0]).toMatchObject({ params: { quorum: '0.4' } })
  })
})
