// Proposals with many megabytes of messages or texts; every response about them stays small, and links to the whole.
import { Compile } from 'typebox/compile'
import { expect, it } from 'vitest'
import { MessagePage } from '../../api/schemas/message.ts'
import { ProposalDetail } from '../../api/schemas/proposal.ts'
import { estimateTokens } from '../../api/words/shortened.ts'
import { MAX_LISTED_TYPES } from '../../ingest/contract/bounds.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { poolVoteRow, proposalRow, seed, tallyRow } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const HEIGHT = 50
const KIB = 2 ** 10
/** A lying node can give such names. */
const POOLS = 40
const MIB = 2 ** 20

const SEND = '/cosmos.bank.v1beta1.MsgSend'
const send = (n: number) => ({ '@type': SEND, from_address: 'a', to_address: `${n}`, amount: [] })
const sends = (count: number) => ({
  messages: JSON.stringify(Array.from({ length: count }, (_, n) => send(n))),
  message_count: count,
  // As ingest keeps them.
  message_types: Array.from({ length: Math.min(count, MAX_LISTED_TYPES) }, () => SEND),
})
const oneMessage = (bytes: number) => {
  const empty = JSON.stringify([{ '@type': '/a.b', value: '' }]).length
  return JSON.stringify([{ '@type': '/a.b', value: 'A'.repeat(bytes - empty) }])
}

const ROWS = {
  giant: proposalRow(7000, HEIGHT, { messages: oneMessage(28 * MIB) }),
  ordinary: proposalRow(7001, HEIGHT),
  large: proposalRow(7002, HEIGHT, { messages: oneMessage(200 * KIB) }),
  many: proposalRow(7003, HEIGHT, sends(9_000)),
  veryMany: proposalRow(7004, HEIGHT, sends(100_000)),
  controls: proposalRow(7006, HEIGHT, { summary: '\u0001'.repeat(500 * KIB) }),
} as const
type Name = keyof typeof ROWS
const NAMES = Object.keys(ROWS) as Name[]
const toPath = (name: Name) => `/api/proposals/${ROWS[name].proposal_id}`

const testStore = useTestStore(async (store) => {
  const rows = Object.values(ROWS)
  await seed(store, {
    height: HEIGHT,
    proposals: rows,
    tallies: rows.map((row) => tallyRow(row.proposal_id, HEIGHT, { pool_rows: POOLS })),
    poolVotes: rows.flatMap((row) =>
      Array.from({ length: POOLS }, (_, rank) =>
        poolVoteRow(row.proposal_id, rank, { height: HEIGHT, moniker: 'n'.repeat(64 * KIB) }),
      ),
    ),
    marks: rows.map((row) => ({ id: row.proposal_id })),
  })
})
const setup = () => createMcpRig(testStore.store)

it.each(NAMES)(
  'every response about a proposal is bounded: %s',
  {
    tags: 'api:answers-are-bounded',
  },
  async (name) => {
    const { ask, call, rpc } = await setup()
    const detail = await ask(toPath(name))
    expect(detail.status).toBe(200)
    expect(detail.bytes.length).toBeLessThan(MIB + 10 * KIB)
    expect([...Compile(ProposalDetail).Errors(detail.json())]).toEqual([])
    for (const accept of ['text/html', 'text/markdown']) {
      const page = await ask(toPath(name).replace('/api', ''), { headers: { accept } })
      expect([accept, page.status]).toEqual([accept, 200])
      expect(page.bytes.length).toBeLessThan(MIB)
    }
    for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
      const list = await ask(`${toPath(name)}/messages`, { headers: { accept } })
      expect([accept, list.status]).toEqual([accept, 200])
      expect(list.bytes.length).toBeLessThan(MIB + 10 * KIB)
    }
    const proposalId = ROWS[name].proposal_id
    const result = await call('get_proposal', { proposalId })
    expect(estimateTokens(JSON.stringify(result))).toBeLessThanOrEqual(12_000)
    expect([...Compile(ProposalDetail).Errors(result.structuredContent)]).toEqual([])
    const read = await rpc('resources/read', { uri: `proposals://${proposalId}` })
    expect(estimateTokens(read.result.contents[0].text)).toBeLessThanOrEqual(24_000)
  },
)

it('lists of giant proposals are bounded, in every format', {
  tags: 'api:answers-are-bounded',
}, async () => {
  const { ask, call } = await setup()
  const paths = ['/api/proposals', '/proposals', '/', '/feed.atom'] as const
  for (const path of paths) {
    const list = await ask(path)
    expect([path, list.status]).toEqual([path, 200])
    expect(list.bytes.length).toBeLessThan(256 * KIB)
  }
  const result = await call('list_proposals')
  expect(estimateTokens(JSON.stringify(result))).toBeLessThanOrEqual(12_000)
})

it('a proposal with more has the first ones and their explanations, with the URL of all', async () => {
  const { ask, call } = await setup()
  const detail = (await ask(toPath('many'))).json()
  const { messages, explanations } = detail
  expect(detail).toMatchObject({
    messageCount: 9_000,
    messagesTruncated: true,
    messagesAt: `${toPath('many')}/messages`,
  })
  expect(messages.length).toBeGreaterThan(100)
  expect(messages).toEqual(JSON.parse(ROWS.many.messages).slice(0, messages.length))
  expect(explanations).toHaveLength(messages.length)
  const html = await ask(toPath('many').replace('/api', ''), { headers: { accept: 'text/html' } })
  expect(html.text).toContain(`href="${detail.messagesAt}"`)
  const { structuredContent: short } = await call('get_proposal', { proposalId: '7003' })
  expect(short).toMatchObject({ proposalId: '7003', truncated: true, wholeAt: toPath('many') })
  expect(short.messages).toEqual(messages.slice(0, short.messages.length))
  expect(short.votes.page.totalItems).toBe(detail.votes.page.totalItems)
  const giant = (await ask(toPath('giant'))).json()
  expect(giant).toMatchObject({ messages: [], messagesTruncated: true, explanations: [] })
})

it('the list of messages has each message once, in order, with its explanation', async () => {
  const { get } = await setup()
  const seen = []
  let url: string | null = `${toPath('many')}/messages`
  for (let pages = 0; url !== null && pages < 5; pages++) {
    const page = JSON.parse(await get(url))
    expect([...Compile(MessagePage).Errors(page)]).toEqual([])
    expect(page.page).toEqual({ size: 100, totalItems: 9_000 })
    seen.push(...page.items)
    url = page.links.next
  }
  const detail = JSON.parse(await get(toPath('many')))
  expect(seen).toEqual(
    detail.messages.slice(0, 500).map((message: object, index: number) => ({
      index,
      message,
      explanation: detail.explanations[index],
    })),
  )
  expect(seen).toHaveLength(500)
})

it('the list of messages shortens a large message, with the URL of the events', async () => {
  const { get } = await setup()
  const listed = async (name: Name) => JSON.parse(await get(`${toPath(name)}/messages`)).items[0]
  const large = await listed('large')
  const mark = (name: Name) => ({ truncated: true, wholeAt: `${toPath(name)}/events` })
  expect(large).toMatchObject({ index: 0, message: { '@type': '/a.b' }, ...mark('large') })
  expect(large.message.value).toMatch(/^A+…$/)
  expect(await listed('giant')).toEqual({
    index: 0,
    message: { '@type': '/a.b' },
    explanation: null,
    ...mark('giant'),
  })
})
