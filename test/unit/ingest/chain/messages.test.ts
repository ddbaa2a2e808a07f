// What proposals and transactions carry, readable, with nothing dropped.
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgExecLegacyContent } from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { describe, expect, it } from 'vitest'
import { readMessage } from '../../../../ingest/chain/messages.ts'
import { execMessage } from '../../../support/chain/txs.ts'

const send = {
  typeUrl: MsgSend.typeUrl,
  value: MsgSend.encode(
    MsgSend.fromPartial({ fromAddress: 'a', amount: [{ denom: 'stake', amount: '5' }] }),
  ).finish(),
}

describe('a message', () => {
  it('is decoded into camelCase where its type is known', () => {
    expect(readMessage(send)).toEqual({
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      fromAddress: 'a',
      toAddress: '',
      amount: [{ denom: 'stake', amount: '5' }],
    })
  })

  it('is opened inside another', () => {
    expect(readMessage(execMessage('g', execMessage('h', send)))).toMatchObject({
      '@type': '/cosmos.authz.v1beta1.MsgExec',
      grantee: 'g',
      msgs: [{ '@type': '/cosmos.authz.v1beta1.MsgExec', msgs: [{ fromAddress: 'a' }] }],
    })
  })

  it('shows the content of a legacy proposal', () => {
    const content = TextProposal.fromPartial({ title: 'T', description: 'D' })
    const value = MsgExecLegacyContent.encode({
      content: {
        typeUrl: TextProposal.typeUrl,
        value: TextProposal.encode(content).finish(),
      },
      authority: 'gov',
    }).finish()
    expect(readMessage({ typeUrl: MsgExecLegacyContent.typeUrl, value })).toMatchObject({
      content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' },
      authority: 'gov',
    })
  })

  it('keeps bytes as base64', () => {
    const value = MsgExecuteContract.encode(
      MsgExecuteContract.fromPartial({ msg: Buffer.from('{"vote":{}}') }),
    ).finish()
    expect(readMessage({ typeUrl: MsgExecuteContract.typeUrl, value })).toMatchObject({
      msg: Buffer.from('{"vote":{}}').toString('base64'),
    })
  })

  it('of an unknown type is its bytes', () => {
    const value = new Uint8Array([1, 2, 3])
    expect(readMessage({ typeUrl: '/new.module.v1.MsgX', value })).toEqual({
      '@type': '/new.module.v1.MsgX',
      value: 'AQID',
    })
  })

  it('that does not decode is its bytes', () => {
    const value = new Uint8Array([0x0a, 0xff])
    expect(readMessage({ typeUrl: MsgSend.typeUrl, value })).toEqual({
      '@type': MsgSend.typeUrl,
      value: 'Cv8=',
    })
  })

  it('with fields newer than ours carries its bytes along', () => {
    const extra = Buffer.from([0xfa, 0x01, 0x01, 0x78])
    const value = Buffer.concat([send.value, extra])
    expect(readMessage({ typeUrl: MsgSend.typeUrl, value })).toMatchObject({
      fromAddress: 'a',
      '@bytes': value.toString('base64'),
    })
  })
})
