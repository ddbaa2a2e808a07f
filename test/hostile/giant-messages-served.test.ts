// An old log has a proposal with 28 MB of messages; every response about it stays small.
import { Compile } from 'typebox/compile'
import { expect, it } from 'vitest'
import { ProposalDetail } from '../../api/schemas/proposal.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { proposalRow, seed, tallyRow } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const GIANT = '7000'
const ORDINARY = '6999'
const AT_LIMIT = '6998'
const HEIGHT = 50

const LIMIT = 2 ** 20
const message = (bytes: number) => {
  const empty = JSON.stringify([{ '@type': '/a.b', value: '' }]).length
  return JSON.stringify([{ '@type': '/a.b', value: 'A'.repeat(bytes - empty) }])
}

const testStore = useTestStore(async (store) => {
  await seed(store, {
    height: HEIGHT,
    proposals: [
      proposalRow(GIANT, HEIGHT, { messages: message(28 * 2 ** 20) }),
      proposalRow(ORDINARY, HEIGHT),
      proposalRow(AT_LIMIT, HEIGHT, { messages: message(LIMIT) }),
    ],
    tallies: [tallyRow(GIANT, HEIGHT), tallyRow(ORDINARY, HEIGHT), tallyRow(AT_LIMIT, HEIGHT)],
    marks: [{ id: GIANT }, { id: ORDINARY }, { id: AT_LIMIT }],
  })
})

const LINK = `/api/proposals/${GIANT}/events`

it('the API answers JSON without messages over 1 MiB, with a link to them', async () => {
  const rig = await createMcpRig(testStore.store)
  const answer = await rig.ask(`/api/proposals/${GIANT}`)
  expect(answer.status).toBe(200)
  expect(answer.bytes.length).toBeLessThan(10_000)
  const detail = answer.json()
  expect(detail).toMatchObject({ messages: [], messagesTruncated: true, messagesAt: LINK })
  expect([...Compile(ProposalDetail).Errors(detail)]).toEqual([])
  expect((await rig.ask(LINK)).status).toBe(200)
})

it('the API answers MCP, HTML and Markdown with a link instead of such messages', async () => {
  const rig = await createMcpRig(testStore.store)
  const called = await rig.call('get_proposal', { proposalId: GIANT })
  expect(called.structuredContent).toMatchObject({ messagesTruncated: true, messagesAt: LINK })
  for (const accept of ['text/html', 'text/markdown']) {
    const page = await rig.ask(`/proposals/${GIANT}`, { headers: { accept } })
    expect([accept, page.status]).toEqual([accept, 200])
    expect(page.text).toContain(LINK)
    expect(page.text).toContain('longer than 1 MiB')
    expect(page.bytes.length).toBeLessThan(100_000)
  }
})

it('the API answers with messages of up to 1 MiB unchanged, without an additional member', async () => {
  const rig = await createMcpRig(testStore.store)
  for (const id of [ORDINARY, AT_LIMIT]) {
    const detail = (await rig.ask(`/api/proposals/${id}`)).json()
    expect(detail.messages).toHaveLength(1)
    expect(Object.keys(detail).filter((name) => name.startsWith('messages'))).toEqual(['messages'])
  }
})
