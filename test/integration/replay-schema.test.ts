// Tests of the file descriptors and the application version that the replay node reports.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoNode } from '../../infra/app/demo/demo-node.ts'
import { openRecording, type Recording } from '../../infra/app/demo/recording.ts'
import { createRawRpc, readSchema } from '../devnet/rpc.ts'
import { openTestRecording, TEST_RECORDING } from '../support/chain/test-recording.ts'

const FILE_DESCRIPTORS = '/cosmos.reflection.v1.ReflectionService/FileDescriptors'
const NOTHING = new Uint8Array()

async function setup(recording: Recording = openTestRecording()) {
  const { lastHeight } = recording.manifest
  const node = await startDemoNode({ recording, preload: lastHeight })
  onTestFinished(() => node.close())
  return { rpc: createRawRpc(node.url), lastHeight }
}

/** A recording from before schemas were recorded. */
function openOlderRecording(): Recording {
  const dir = mkdtempSync(`${tmpdir()}/rollcall-recording-`)
  onTestFinished(() => rmSync(dir, { recursive: true }))
  cpSync(TEST_RECORDING, dir, { recursive: true })
  const { appVersion: _, ...manifest } = openRecording(dir).manifest
  delete manifest.files['schema.bin.br']
  rmSync(`${dir}/schema.bin.br`)
  writeFileSync(`${dir}/manifest.json`, JSON.stringify(manifest))
  return openRecording(dir)
}

test('reports the file descriptors of the recorded node, the same at every height', async () => {
  const { rpc, lastHeight } = await setup()
  const schema = await readSchema(rpc, lastHeight)
  expect((await readSchema(rpc, 1)).equals(schema)).toBe(true)
  const { file } = fromBinary(FileDescriptorSetSchema, schema)
  const messages = file.flatMap((each) =>
    each.messageType.map(({ name }) => `${each.package}.${name}`),
  )
  expect(messages).toContain('cosmos.gov.v1.MsgUpdateParams')
  expect(messages).toContain('cosmwasm.wasm.v1.MsgStoreCode')
})

test('refuses the file descriptors at a future height', async () => {
  const { rpc, lastHeight } = await setup()
  const answer = await rpc.abciQuery(FILE_DESCRIPTORS, NOTHING, lastHeight + 1)
  expect(answer).toMatchObject({ code: 26, value: null })
})

test('reports the version of the application as the recorded node does: empty, not absent', async () => {
  const { rpc } = await setup()
  const answer = await rpc.abciQuery('/app/version', NOTHING, 5)
  expect(answer).toMatchObject({ code: 0, value: '', height: '5', codespace: 'sdk' })
})

test('refuses both for a recording without them, like a chain without these services', async () => {
  const { rpc } = await setup(openOlderRecording())
  for (const path of [FILE_DESCRIPTORS, '/app/version']) {
    const answer = await rpc.abciQuery(path, NOTHING, 5)
    expect(answer).toMatchObject({ code: 6, log: 'unknown query path: unknown request' })
  }
})

test('refuses a recording with a changed schema', () => {
  const dir = mkdtempSync(`${tmpdir()}/rollcall-recording-`)
  onTestFinished(() => rmSync(dir, { recursive: true }))
  cpSync(TEST_RECORDING, dir, { recursive: true })
  writeFileSync(`${dir}/schema.bin.br`, 'cut off')
  expect(() => openRecording(dir)).toThrow('schema.bin.br is not the recorded one')
})
