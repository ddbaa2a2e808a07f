// `/`: the newest proposals and the open votes.
import type { Static } from 'typebox'
import { chainVersion, type Query } from '../read/query.ts'
import type { ProposalPage } from '../schemas/proposal.ts'
import { proposals } from './proposals.ts'

type Proposals = Static<typeof ProposalPage>

export type HomeData = Proposals & { open: Proposals }

const newest = proposals.query({})
const open = proposals.query({ status: ['voting_period'] })

export const homeQuery: Query<{ newest: unknown; open: unknown }, HomeData> = {
  name: '/',
  proposalId: null,
  version: chainVersion,
  read: async (reads) => {
    const [all, some] = await Promise.all([reads.use(newest), reads.use(open)])
    return { value: { newest: all.value, open: some.value } }
  },
  complete: (value, completion) => ({
    ...newest.complete(value.newest, completion),
    open: open.complete(value.open, completion),
  }),
}
