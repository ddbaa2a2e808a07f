// Tests the built-in file descriptors: complete, in an order that a registry accepts, and with the options for JSON.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import { compiledTypes } from '../../../support/chain/compiled-types.ts'

const path = new URL('../../../../ingest/schema/standard-files.binpb.br', import.meta.url)
const GOGOPROTO_CUSTOMTYPE = 65_003
/** Test modules of the SDK, and names that only cosmjs-types gives to nested types. */
const NO_CHAIN_TYPE = /^\/cosmos\.(benchmark\.v1\.|counter\.v1\.|tx\.v1beta1\.(Single|Multi)$)/

function setup() {
  const set = fromBinary(FileDescriptorSetSchema, brotliDecompressSync(readFileSync(path)))
  return { set, registry: createFileRegistry(set) }
}

describe('the built-in file descriptors', () => {
  it('have every message type that is compiled into cosmjs-types', async () => {
    const { registry } = setup()
    const types = [...(await compiledTypes()).keys()]
    expect(types.length).toBeGreaterThan(200)
    expect(
      types.filter((url) => !NO_CHAIN_TYPE.test(url) && !registry.getMessage(url.slice(1))),
    ).toEqual([])
  })

  it.each([
    'cosmos.crisis.v1beta1.MsgUpdateParams',
    'ibc.applications.fee.v1.MsgPayPacketFee',
    'ibc.core.channel.v1.MsgUpdateParams',
    'ibc.core.client.v1.ClientUpdateProposal',
    'ibc.lightclients.wasm.v1.MsgStoreCode',
  ])('have %s, which other chains use and the recorded one does not', (name) => {
    expect(setup().registry.getMessage(name)?.typeName).toBe(name)
  })

  it('keep the options for JSON names and formats', () => {
    const message = setup().registry.getMessage('cosmos.staking.v1beta1.Params')
    const field = message?.fields.find(({ name }) => name === 'min_commission_rate')
    const options = field?.proto.options?.$unknown?.map(({ no }) => no)
    expect(options).toContain(GOGOPROTO_CUSTOMTYPE)
  })

  it('omit the source positions, which decoding never needs', () => {
    expect(setup().set.file.filter(({ sourceCodeInfo }) => sourceCodeInfo)).toEqual([])
  })
})
