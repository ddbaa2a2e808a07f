// Every message has an explanation: known types, unknown types, and messages that were not decoded.
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { messageName, moduleName } from '../../../../api/explain/members.ts'
import { Explanation } from '../../../../api/schemas/explanation.ts'
import { explain, explainAll, lines } from '../../../support/api/explained.ts'

const TEXT = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' }
const send = (amount: string) => ({
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: 'a',
  to_address: 'b',
  amount: [{ denom: 'uatom', amount }],
})

describe('explanations', () => {
  it('contain one entry for each message, with its index and its type', () => {
    const shown = explainAll([TEXT, {}, null, send('1')]).map(({ message, type }) => [
      message,
      type,
    ])
    expect(shown).toEqual([
      [0, '/cosmos.gov.v1beta1.TextProposal'],
      [1, ''],
      [2, ''],
      [3, '/cosmos.bank.v1beta1.MsgSend'],
    ])
  })

  it('state that a text changes nothing, also inside MsgExecLegacyContent', () => {
    const legacy = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content: TEXT }
    for (const message of [TEXT, legacy]) {
      expect(explain(message).summary).toBe('A text only. It changes nothing on the chain.')
    }
  })

  it('have at most 100 details, with texts of at most 1,000 characters', () => {
    const message = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`f${n}`, 'x'.repeat(5_000)]),
    )
    const explanation = explain({ '@type': '/a.b.v1.MsgC', ...message })
    expect(explanation.details).toHaveLength(100)
    expect(explanation.details[0]?.value.text).toBe(`${'x'.repeat(999)}…`)
    expect(explanation.details.at(-1)?.label).toBe('More values')
    expect(Value.Check(Explanation, explanation)).toBe(true)
  })

  it('contain the reason why a message was not decoded', () => {
    const type = { '@type': '/new.v1.MsgX' }
    const why = { '@reason': 'the schema of the chain does not have this type' }
    const bytes = explain({ ...type, value: 'AQID', ...why })
    expect(bytes.summary).toBe(`This message was not decoded: ${why['@reason']}.`)
    expect(lines(bytes)).toEqual(['Type: /new.v1.MsgX', 'Size: 3 bytes', 'Bytes in base64: AQID'])
    const digest = explain({ ...type, value: { sha256: 'ab', size: 5_000 }, ...why })
    expect(digest.summary).toBe(bytes.summary)
    expect(lines(digest)).toContain('SHA-256: ab')
  })

  it('count fields that the schema lacks, also nested ones', () => {
    const unknown = { '@unknownFields': { count: 2, bytes: 'AA==' } }
    const explanation = explain({ ...send('1'), ...unknown, memo: [{ ...unknown }] })
    expect(lines(explanation)[0]).toBe('Unknown fields: 4, not in the schema of the chain')
  })
})

describe('the generic explanation', () => {
  const message = {
    '@type': '/osmosis.poolmanager.v1beta1.MsgSetTakerFee',
    sender: 'osmo1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu',
    fee: { ratio: '0.0015', cap: { denom: 'uosmo', amount: '2500000' } },
    pools: ['1', '2'],
    starts: '2026-12-01T00:00:00Z',
    after: '3600s',
    docs: 'https://example.com/fee',
    active: true,
    memo: '',
    proof: { sha256: 'ab', size: 5_000 },
    note: null,
  }

  it('names the message and its module, and has a detail of the right kind for each value', () => {
    const explanation = explain(message, {
      displayUnit: { name: 'OSMO', denom: 'uosmo', decimals: 6 },
    })
    expect(explanation.summary).toBe('Executes “Set taker fee” of the module poolmanager.')
    expect(explanation.details.map(({ label, value }) => [label, value.kind, value.text])).toEqual([
      ['sender', 'address', message.sender],
      ['fee › ratio', 'text', '0.15 %'],
      ['fee › cap', 'amount', '2.5 OSMO'],
      ['pools › 1', 'text', '1'],
      ['pools › 2', 'text', '2'],
      ['starts', 'time', '2026-12-01T00:00:00Z'],
      ['after', 'text', '1 hour'],
      ['docs', 'link', 'https://example.com/fee'],
      ['active', 'text', 'true'],
      ['memo', 'text', '(empty)'],
      ['proof', 'code', '5\u202f000 bytes, SHA-256 ab'],
      ['note', 'text', 'null'],
    ])
  })

  it('is used for a known type without the members of its sentence', () => {
    const explanation = explain({ '@type': '/cosmos.bank.v1beta1.MsgSend', amount: 'much' })
    expect(explanation.summary).toBe('Executes “Send” of the module bank.')
  })

  it('derives the title from the type', () => {
    expect(messageName('/cosmos.gov.v1.MsgUpdateParams')).toBe('Update params')
    expect(messageName('')).toBe('Message')
  })

  it.each([
    ['/cosmos.gov.v1.MsgX', 'gov'],
    ['/ibc.applications.transfer.v1.MsgX', 'transfer'],
    ['/feemarket.feemarket.v1.MsgX', 'feemarket'],
    ['/ibc.core.client.v1.MsgX', 'client'],
    ['/custom.MsgX', 'custom'],
  ])('%s belongs to the module %s', (type, module) => expect(moduleName(type)).toBe(module))
})

describe('nested messages', () => {
  it('are explained in an authorized execution, with their number', () => {
    const message = {
      '@type': '/cosmos.authz.v1beta1.MsgExec',
      grantee: 'cosmos1a',
      msgs: [send('5'), TEXT],
    }
    const explanation = explain(message)
    expect(explanation.summary).toBe(
      'Executes 2 messages on behalf of the accounts that authorized it.',
    )
    expect(lines(explanation)).toEqual(
      expect.arrayContaining([
        'Message 1: Transfer: Sends 5 uatom from one account to another.',
        'Message 1 › From: a',
        'Message 2 › type: /cosmos.gov.v1beta1.TextProposal',
      ]),
    )
  })

  it('are explained in a proposal to a group', () => {
    const message = {
      '@type': '/cosmos.group.v1.MsgSubmitProposal',
      group_policy_address: 'cosmos1g',
      proposers: ['cosmos1p'],
      title: 'Pay',
      messages: [send('5')],
    }
    expect(explain(message).summary).toBe(
      'Submits a proposal with one message to a group, which votes on it.',
    )
    const exec = { '@type': '/cosmos.group.v1.MsgExec', proposal_id: '4', executor: 'cosmos1e' }
    expect(explain(exec).summary).toBe(
      'Executes the proposal 4 of a group, if the group has accepted it.',
    )
  })

  it('are explained up to a limit of depth and number', () => {
    const exec = (msgs: unknown[]) => ({ '@type': '/cosmos.authz.v1beta1.MsgExec', msgs })
    let deep: unknown = send('1')
    for (let n = 0; n < 20_000; n++) deep = exec([deep])
    expect(explain(deep).details.length).toBeLessThanOrEqual(100)
    const wide = explain(exec(Array.from({ length: 500 }, () => TEXT)))
    expect(lines(wide)).toContain('More messages: 480 more: see the JSON of the message')
  })
})
