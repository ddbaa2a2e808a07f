// Tests messages of proposals as JSON of the REST API, without loss.
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgExecLegacyContent, MsgUpdateParams } from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgSoftwareUpgrade } from 'cosmjs-types/cosmos/upgrade/v1beta1/tx'
import { MsgExecuteContract, MsgStoreCode } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../ingest/contract/facts.ts'
import { builtInSchema } from '../../../../ingest/schema/built-in.ts'
import type { AnyMessage } from '../../../../ingest/schema/message-json.ts'
import { decodeMessages } from '../../../../ingest/schema/proposal-messages.ts'
import { execMessage } from '../../../support/simulator/txs.ts'

const decode = (message: AnyMessage): Message | undefined =>
  decodeMessages(builtInSchema(), [message]).messages[0]

const send = {
  typeUrl: MsgSend.typeUrl,
  value: MsgSend.encode(
    MsgSend.fromPartial({ fromAddress: 'a', amount: [{ denom: 'stake', amount: '5' }] }),
  ).finish(),
}

const execute = (json: string): AnyMessage => ({
  typeUrl: MsgExecuteContract.typeUrl,
  value: MsgExecuteContract.encode(
    MsgExecuteContract.fromPartial({ msg: Buffer.from(json) }),
  ).finish(),
})

describe('a message of a proposal', () => {
  it('has the names of the protobuf fields, and every field', () => {
    expect(decode(send)).toEqual({
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      from_address: 'a',
      to_address: '',
      amount: [{ denom: 'stake', amount: '5' }],
    })
  })

  it('has durations as text, null for missing pointers and empty missing lists', () => {
    const params = { quorum: '0.3', maxDepositPeriod: { seconds: 172_800n, nanos: 500_000_000 } }
    const value = MsgUpdateParams.encode(MsgUpdateParams.fromPartial({ params })).finish()
    expect(decode({ typeUrl: MsgUpdateParams.typeUrl, value })).toMatchObject({
      params: {
        quorum: '0.3',
        max_deposit_period: '172800.500s',
        voting_period: null,
        min_deposit: [],
      },
    })
  })

  it('has 64-bit integers as text, and the zero time of Go for a time that is not set', () => {
    const never = { seconds: -62_135_596_800n, nanos: 0 }
    const plan = { name: 'v2', height: 9_007_199_254_740_993n, time: never }
    const value = MsgSoftwareUpgrade.encode(MsgSoftwareUpgrade.fromPartial({ plan })).finish()
    expect(decode({ typeUrl: MsgSoftwareUpgrade.typeUrl, value })).toMatchObject({
      plan: {
        name: 'v2',
        time: '0001-01-01T00:00:00Z',
        height: '9007199254740993',
        upgraded_client_state: null,
      },
    })
  })

  it('is decoded inside other messages', () => {
    expect(decode(execMessage('g', execMessage('h', send)))).toMatchObject({
      '@type': '/cosmos.authz.v1beta1.MsgExec',
      grantee: 'g',
      msgs: [{ '@type': '/cosmos.authz.v1beta1.MsgExec', msgs: [{ from_address: 'a' }] }],
    })
  })

  it('has the content of a legacy proposal', () => {
    const content = TextProposal.fromPartial({ title: 'T', description: 'D' })
    const value = MsgExecLegacyContent.encode({
      content: { typeUrl: TextProposal.typeUrl, value: TextProposal.encode(content).finish() },
      authority: 'gov',
    }).finish()
    expect(decode({ typeUrl: MsgExecLegacyContent.typeUrl, value })).toEqual({
      '@type': MsgExecLegacyContent.typeUrl,
      content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' },
      authority: 'gov',
    })
  })

  it('has the message of a contract as JSON', () => {
    expect(decode(execute('{"vote":{"id":7}}'))).toMatchObject({ msg: { vote: { id: 7 } } })
  })

  it('has the message of a contract as text if JSON would round a number', () => {
    const text = '{"amount":123456789012345678901}'
    expect(decode(execute(text))).toMatchObject({ msg: text })
  })

  it('has a digest instead of bytes beyond 4 KiB, and the bytes are kept with their path', () => {
    const code = new Uint8Array(5_000).fill(7)
    const value = MsgStoreCode.encode(MsgStoreCode.fromPartial({ wasmByteCode: code })).finish()
    const { messages, kept } = decodeMessages(builtInSchema(), [
      send,
      { typeUrl: MsgStoreCode.typeUrl, value },
    ])
    expect(messages[1]).toMatchObject({
      wasm_byte_code: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), size: 5_000 },
      instantiate_permission: null,
    })
    expect(kept).toEqual([
      expect.objectContaining({ message: 1, path: '/wasm_byte_code', bytes: code }),
    ])
  })

  it('of an unknown type is kept as bytes with the reason', () => {
    const value = new Uint8Array([1, 2, 3])
    expect(decode({ typeUrl: '/new.module.v1.MsgX', value })).toEqual({
      '@type': '/new.module.v1.MsgX',
      value: 'AQID',
      '@reason': 'the schema of the chain does not have this type',
    })
  })

  it('that cannot be decoded is kept as bytes with the reason', () => {
    const value = new Uint8Array([0x0a, 0xff])
    expect(decode({ typeUrl: MsgSend.typeUrl, value })).toEqual({
      '@type': MsgSend.typeUrl,
      value: 'Cv8=',
      '@reason': expect.stringContaining('the bytes are not of this type'),
    })
  })

  it('counts the fields that are not in the schema, and keeps their bytes', () => {
    const extra = Buffer.from([0xfa, 0x01, 0x01, 0x78])
    const value = Buffer.concat([send.value, extra])
    const decoded = decodeMessages(builtInSchema(), [{ typeUrl: MsgSend.typeUrl, value }])
    expect(decoded.isComplete).toBe(false)
    expect(decoded.messages[0]).toMatchObject({
      from_address: 'a',
      '@unknownFields': { count: 1, bytes: extra.toString('base64') },
    })
  })
})
