// The earlier proposals on the page of a proposal, over a real ClickHouse: which are listed, and when the list changes.
import { describe, expect, it } from 'vitest'
import { isFinalWithEarlier } from '../../api/read/queries/earlier-proposals.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { clearReadModel, proposalRow, seed, timestampAt } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()
const UPGRADE = '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade'
const LEGACY = '/cosmos.gov.v1.MsgExecLegacyContent'
const KIND = {
  message_types: [UPGRADE],
  messages: JSON.stringify([{ '@type': UPGRADE, plan: {} }]),
}

const closedAt = (height: number, status = 'passed') => ({
  status,
  closed_height: `${height}`,
  closed_time: timestampAt(height),
})

/** Eight proposals of one kind and one account; 4 is of another account, and 6 is of another kind. */
const createProposals = (isFourthOpen: boolean) =>
  Array.from({ length: 8 }, (_, n) => n + 1).map((id) =>
    proposalRow(id, 50, {
      ...(id === 6 ? { message_types: [LEGACY] } : KIND),
      ...(id === 4 && isFourthOpen ? {} : closedAt(50, id === 3 ? 'rejected' : 'passed')),
      proposer: id === 4 ? 'test1other' : 'test1proposer',
    }),
  )

const setup = async ({ isFourthOpen = false } = {}) => {
  await clearReadModel(testStore.store)
  const proposals = createProposals(isFourthOpen)
  await seed(testStore.store, {
    height: 100,
    proposals,
    marks: proposals.map(({ proposal_id: id, status }) => ({
      id: Number(id),
      height: 50,
      final: status !== 'voting_period',
    })),
  })
  const rig = await createApiRig(testStore.store)
  const read = async (id: number, accept = 'text/html') => {
    const { status, text } = await rig.ask(`/proposals/${id}`, { headers: { accept } })
    expect(status).toBe(200)
    return text
  }
  return { ...rig, read }
}

const findEarlier = (page: string) => /<section id="earlier".*?<\/section>/s.exec(page)?.[0] ?? ''
const findIds = (text: string) =>
  [...text.matchAll(/<li>.*?href="\/proposals\/(\d+)"/g)].map(([, id]) => Number(id))

describe('the page of a proposal', () => {
  it('has five earlier ones of its proposer and five of its kind, newest first, with links to all', async () => {
    const { read } = await setup()
    const shown = findEarlier(await read(8))
    const [ofProposer = '', ofKind = ''] = shown.split('Of the same kind')
    expect(findIds(ofProposer)).toEqual([7, 6, 5, 3, 2])
    expect(findIds(ofKind)).toEqual([7, 5, 4, 3, 2])
    expect(shown).toContain('Rejected')
    expect(shown).toContain('href="/proposals?proposer=test1proposer"')
    expect(shown).toContain(`href="/proposals?messageType=${encodeURIComponent(UPGRADE)}"`)
    const markdown = await read(8, 'text/markdown')
    expect(markdown).toContain('## Earlier proposals')
    expect(markdown).toContain('- rejected [3](</proposals/3>) Proposal 3')
  })

  it('has none without an earlier one, and no kind for legacy content', async () => {
    const { read } = await setup()
    expect(findEarlier(await read(1))).toBe('')
    expect(await read(1, 'text/markdown')).not.toContain('Earlier proposals')
    expect(findEarlier(await read(6))).not.toContain('Of the same kind')
  })

  it('shows the end of an earlier vote, although the proposal itself is closed', async () => {
    const { read, state } = await setup({ isFourthOpen: true })
    const open = findEarlier(await read(8))
    expect(open).toMatch(/<span class="tag open">Open<\/span> <a href="\/proposals\/4"/)
    const snapshot = state.current()
    expect(snapshot && [3, 8].map((id) => isFinalWithEarlier(`${id}`)(snapshot))).toEqual([
      true,
      false,
    ])
    await seed(testStore.store, {
      height: 110,
      proposals: [proposalRow(4, 105, { ...KIND, ...closedAt(105), proposer: 'test1other' })],
      marks: [{ id: 4, height: 105, final: true }],
    })
    await state.refresh()
    expect(findEarlier(await read(8))).not.toContain('class="tag open"')
  })
})
