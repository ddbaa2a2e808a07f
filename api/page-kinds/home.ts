// What the front page shows: the newest proposals, and those that can be voted on now.
import type { Store } from '../../infra/clickhouse/client.ts'
import type { Content } from '../pages/page-content.ts'
import type { PageKind } from '../pages/pages.ts'
import { createProposalList, type ListWish } from './proposal-list.ts'

const NEWEST: ListWish = { filter: {}, start: { page: 0 } }
const OPEN: ListWish = { filter: { statuses: ['voting_period'] }, start: { page: 0 } }

/** The newest, with the open ones inside: both are stamped with the same `asOf`. */
const together = (newest: Content, open: Content): Content => [
  ...newest.slice(0, -1),
  `,"open":${open[0]}`,
  ...open.slice(1, -1),
  `${open.at(-1)}${newest.at(-1)}`,
]

export const createHome = (store: Store, baseUrl: string): PageKind => {
  const list = createProposalList(store, baseUrl)
  const [newest, open] = [list(NEWEST), list(OPEN)]
  const key: PageKind['key'] = (served) => `home/${newest.key(served)}`
  return {
    proposalId: null,
    key,
    load: async (served) => {
      const [all, some] = await Promise.all([newest.load(served), open.load(served)])
      const contents = new Map([...all.contents, ...some.contents])
      const parts = [all.contents.get(newest.key(served)), some.contents.get(open.key(served))]
      contents.set(key(served), together(parts[0] ?? [], parts[1] ?? []))
      const isSettled = all.verdict === 'settled' && some.verdict === 'settled'
      return { contents, verdict: isSettled ? 'settled' : 'moving' }
    },
  }
}
