// One proposal with its messages and the first page of its votes: the same object as the votes' own address gives.
import type { Store } from '../../infra/clickhouse/client.ts'
import { detailContent } from '../pages/page-content.ts'
import type { PageKind } from '../pages/page-kind.ts'
import { readProposalHead, tallyOfRound } from '../queries/proposal-head.ts'
import { proposalOf } from '../queries/proposal-rows.ts'
import type { Served } from '../served/served.ts'
import { notFound } from './known-proposal.ts'
import type { VotesReader } from './votes.ts'

export const createProposalDetail =
  (store: Store, votes: VotesReader) =>
  (proposalId: string): PageKind => {
    const firstPage = { proposalId, start: { page: 0 } }
    const keyOf = (served: Served) => `detail/${votes.key(served, firstPage)}`
    return {
      proposalId,
      key: keyOf,
      load: async (served) => {
        const watermark = served.watermarks.get(proposalId)
        if (!watermark) throw notFound(proposalId)
        const [head, page] = await Promise.all([
          readProposalHead({ store, served }, proposalId),
          votes.kind(firstPage).load(served),
        ])
        if (!head) throw notFound(proposalId)
        const proposal = proposalOf(head.row, tallyOfRound(head, head.row.round), watermark)
        const pageZero = page.contents.get(votes.key(served, firstPage)) ?? []
        const contents = new Map(page.contents)
        contents.set(keyOf(served), detailContent(JSON.stringify(proposal), pageZero))
        return { contents, verdict: head.verdict === 'settled' ? page.verdict : head.verdict }
      },
    }
  }
