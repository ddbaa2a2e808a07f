// Messages that no template knows, that were not decoded, that contain messages, or that link to other sites.
import { describe, expect, it } from 'vitest'
import { createMessageExplainer, type ExplainedProposal } from '../../../../api/explain/explain.ts'
import type { Explanation } from '../../../../api/schemas/explanation.ts'

const explain = (message: unknown, given: Partial<ExplainedProposal> = {}): Explanation => {
  const nothing = { changes: [], changesReason: null, displayUnit: undefined }
  return createMessageExplainer({ ...nothing, ...given })(message, 0)
}

/** `label: text` of each detail. */
const lines = ({ details }: Explanation): string[] =>
  details.map(({ label, value }) => `${label}: ${value.text}`)

const TEXT = { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 'T', description: 'D' }
const exec = (msgs: unknown[]) => ({ '@type': '/cosmos.authz.v1beta1.MsgExec', msgs })
const send = {
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: 'a',
  to_address: 'b',
  amount: [{ denom: 'uatom', amount: '5' }],
}

describe('an explanation', () => {
  it('of a message that was not decoded has the reason, and its bytes or their digest', () => {
    const type = { '@type': '/new.v1.MsgX', '@reason': 'the chain has no such type' }
    const bytes = explain({ ...type, value: 'AQID' })
    expect(bytes.summary).toBe('This message was not decoded: the chain has no such type.')
    expect(lines(bytes)).toEqual(['Type: /new.v1.MsgX', 'Size: 3 bytes', 'Bytes in base64: AQID'])
    const digest = explain({ ...type, value: { sha256: 'ab', size: 5_000 } })
    expect(lines(digest)).toContain('SHA-256: ab')
  })

  it('counts fields that the schema lacks, also nested ones', () => {
    const unknown = { '@unknownFields': { count: 2, bytes: 'AA==' } }
    const explanation = explain({ ...send, ...unknown, memo: [{ ...unknown }] })
    expect(lines(explanation)[0]).toBe('Unknown fields: 4, not in the schema of the chain')
  })

  it('of an unknown type names the message and its module, and has each value by its kind', () => {
    const message = {
      '@type': '/osmosis.poolmanager.v1beta1.MsgSetTakerFee',
      sender: 'osmo1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu',
      fee: { ratio: '0.0015', cap: { denom: 'uosmo', amount: '2500000' } },
      pools: ['1', '2'],
      starts: '2026-12-01T00:00:00Z',
      after: '3600s',
      docs: 'https://example.com/fee',
      proof: { sha256: 'ab', size: 5_000 },
      note: null,
    }
    const displayUnit = { name: 'OSMO', denom: 'uosmo', decimals: 6 }
    const { summary, details } = explain(message, { displayUnit })
    expect(summary).toBe('Executes “Set taker fee” of the module poolmanager.')
    expect(details.map(({ label, value }) => [label, value.kind, value.text])).toEqual([
      ['sender', 'address', message.sender],
      ['fee › ratio', 'text', '0.15 %'],
      ['fee › cap', 'amount', '2.5 OSMO'],
      ['pools › 1', 'text', '1'],
      ['pools › 2', 'text', '2'],
      ['starts', 'time', '2026-12-01T00:00:00Z'],
      ['after', 'text', '1 hour'],
      ['docs', 'link', 'https://example.com/fee'],
      ['proof', 'code', '5\u202f000 bytes, SHA-256 ab'],
      ['note', 'text', 'null'],
    ])
  })

  it('has a limit of depth and number', () => {
    let deep: unknown = send
    for (let n = 0; n < 20_000; n++) deep = exec([deep])
    expect(explain(deep).details.length).toBeLessThanOrEqual(100)
    const wide = explain(exec(Array.from({ length: 500 }, () => TEXT)))
    expect(lines(wide)).toContain('More messages: 480 more: see the JSON of the message')
  })
})

describe('the information of an upgrade', () => {
  const explainInfo = (info: string) =>
    explain({
      '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
      plan: { name: 'v19', time: '0001-01-01T00:00:00Z', height: '101000', info },
    }).details.slice(2)

  it('has a link to each binary, and the ASCII form of a host that looks like another', () => {
    const safe = 'https://example.com/v19?checksum=sha256:ab'
    const binaries = { 'linux/amd64': safe, any: 'http://a.example/x' }
    expect(explainInfo(JSON.stringify({ binaries }))).toEqual([
      { label: 'Binary for linux/amd64', value: { kind: 'link', text: safe } },
      { label: 'Binary for any', value: { kind: 'text', text: 'http://a.example/x' } },
    ])
    const [shown] = explainInfo('https://ехample.com/')
    expect(shown?.value).toEqual({ kind: 'link', text: 'https://xn--ample-ywe6i.com/' })
  })

  it.each([
    'http://a.example/',
    'javascript:alert(1)',
    'https://user@a.example/',
    'https://:password@a.example/',
    'https://a.example/ x',
    'https://',
    'data:text/html,x',
  ])('is no link if it is %s', (info) => {
    expect(explainInfo(info)).toEqual([
      { label: 'Information', value: { kind: 'text', text: info } },
    ])
  })
})
