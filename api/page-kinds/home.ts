// What the front page shows: the newest proposals, and those that can be voted on now.
import { withMember } from '../pages/page-content.ts'
import type { PageKind, PageSources } from '../pages/page-kind.ts'
import { createProposalList, type ListWish } from './proposal-list.ts'

const NEWEST: ListWish = { filter: {}, start: { page: 0 } }
const OPEN: ListWish = { filter: { statuses: ['voting_period'] }, start: { page: 0 } }

export const createHome = (sources: PageSources): PageKind => {
  const list = createProposalList(sources)
  const [newest, open] = [list(NEWEST), list(OPEN)]
  const key: PageKind['key'] = (served) => `home/${newest.key(served)}`
  return {
    proposalId: null,
    key,
    load: async (served) => {
      const [all, some] = await Promise.all([newest.load(served), open.load(served)])
      const contents = new Map([...all.contents, ...some.contents])
      const shown = all.contents.get(newest.key(served)) ?? []
      const aside = some.contents.get(open.key(served)) ?? []
      contents.set(key(served), withMember(shown, 'open', aside))
      const isSettled = all.verdict === 'settled' && some.verdict === 'settled'
      return { contents, verdict: isSettled ? 'settled' : 'moving' }
    },
  }
}
