// The messages section of a proposal: explanations first, with fields and JSON collapsed.
import { h } from 'preact'
import { describe, expect, it } from 'vitest'
import { MessageList } from '../../../../../api/pages/proposal/messages.tsx'
import type { Proposal } from '../../../../../api/schemas/proposal.ts'
import { renderMarkup } from '../../../../../infra/base/html/render.tsx'
import { ATOM, explainAll } from '../../../../support/api/explained.ts'

const AT = { baseUrl: '', params: {} }
const ADDRESS = 'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'
const SPEND = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  authority: 'a',
  recipient: ADDRESS,
  amount: [{ denom: 'uatom', amount: '2500000000' }],
}
const upgrade = (info: string) => ({
  '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  plan: { name: 'v19', height: '5000', info, time: '2026-12-01T00:00:00Z' },
})

type Message = Proposal['messages'][number] & Readonly<Record<string, unknown>>

type Explanations = Proposal['explanations']

const renderWith = (messages: readonly Message[], explanations: Explanations) => {
  const of = { proposalId: '7', messages: [...messages], explanations }
  return renderMarkup(h(MessageList, { of }), AT)
}
const render = (...all: readonly Message[]) =>
  renderWith(all, explainAll(all, { displayUnit: ATOM }))

describe('a message on the page of a proposal', () => {
  it('has its explanation before its fields and its JSON, which are collapsed', () => {
    const shown = render(SPEND)
    const fragments = [
      '<h3>',
      '<p><bdi',
      '<dl',
      '<details id="message-1-fields"',
      '<details id="message-1-json"',
    ]
    const found = fragments.map((fragment) => shown.indexOf(fragment))
    expect(found).not.toContain(-1)
    expect(found).toEqual([...found].sort((a, b) => a - b))
    expect(shown).toContain('</span> <bdi dir="auto">Community pool spend</bdi></h3>')
  })

  it('is left out once the page has 512 KiB of messages, with a link to all of them', () => {
    const shown = render(...Array.from({ length: 1_000 }, () => SPEND))
    expect(shown.length).toBeLessThan(2 ** 19 + 1_000)
    expect(shown.split('<h3>').length).toBeGreaterThan(100)
    expect(shown).toContain('<a href="/api/proposals/7/messages">all of it as JSON</a>')
    expect(render(SPEND)).not.toContain('Not all of it')
  })

  it('has amounts in the display unit, with the exact amount in base units', () => {
    expect(render(SPEND)).toContain(
      '<data class="amount" value="2500000000" title="exactly 2500000000 uatom">' +
        '<bdi dir="auto">2\u202f500 ATOM</bdi></data>',
    )
  })

  it('has links to https URLs only, marked as untrusted', () => {
    const address = 'https://example.com/a?b=1'
    expect(render(upgrade(address))).toContain(
      `<a rel="nofollow noopener ugc" href="${address}"><bdi dir="auto">${address}</bdi></a>`,
    )
    for (const info of ['http://example.com', 'javascript:alert(1)', ' https://example.com/']) {
      expect(render(upgrade(info))).not.toContain('<a ')
    }
  })

  it('has times that the script can show in the time zone of the reader', () => {
    expect(render(upgrade(''))).toContain(
      '<time datetime="2026-12-01T00:00:00Z" title="2026-12-01T00:00:00Z">2026-12-01 00:00:00 UTC</time>',
    )
  })

  it('has one term for several values with the same label', () => {
    const amount = [...SPEND.amount, { denom: 'uosmo', amount: '1' }]
    const shown = render({ ...SPEND, amount })
    expect(shown.match(/<bdi dir="auto">Amount<\/bdi>/g)).toHaveLength(1)
    expect(shown).toMatch(/Amount<\/bdi><\/dt><dd>.*<\/dd><dd>/)
  })

  it('escapes all texts', () => {
    const evil = '"><img src=x onerror=alert(1)>\u202e'
    const shown = render(upgrade(evil), { '@type': evil, [evil]: evil })
    expect(shown).not.toMatch(/<img|\u202e/)
    expect(shown).toContain('&lt;img')
  })

  it('has a link to the bytes of a long field, on this service only', () => {
    const href = '/api/proposals/7/messages/0/bytes?path=%2Fwasm_byte_code'
    const store = (bytes: Readonly<Record<string, unknown>>) =>
      render({ '@type': '/cosmwasm.wasm.v1.MsgStoreCode', wasm_byte_code: bytes })
    const bytes = { sha256: 'ab'.repeat(32), size: 480_123, href }
    expect(store(bytes)).toContain(`<a href="${href}">Download 480\u202f123 bytes</a>`)
    for (const other of ['https://evil.example/', `//evil.example${href}`, 'javascript:alert(1)']) {
      expect(store({ ...bytes, href: other })).not.toContain('<a ')
    }
  })

  it('is shown with its fields if it has no explanation', () => {
    const shown = renderWith([SPEND], [])
    expect(shown).toContain(SPEND['@type'])
    expect(shown).toContain('id="message-1-fields"')
  })
})
