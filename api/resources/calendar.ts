// `GET /calendar.ics`: open proposals for calendars, with filters of the list.

import { chainVersion, type Query } from '../read/query.ts'
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import type { RequestParser } from './operation.ts'
import { parseQuery } from './parameters.ts'
import { proposals } from './proposals.ts'

/** Calendars read no further pages, so the first pages are one file. */
const MAX_PAGES = 10

export type CalendarData = { items: readonly ProposalSummary[]; asOf: AsOf }

type Filters = { proposer?: string | undefined; messageType?: string | undefined }

const createQuery = (filters: Filters): Query<readonly unknown[], CalendarData> => {
  const status = ['deposit_period', 'voting_period'] as const
  const args = { ...filters, status: [...status] }
  const pages = Array.from({ length: MAX_PAGES }, (_, page) => proposals.query({ ...args, page }))
  return {
    name: `calendar of ${pages[0]?.name}`,
    proposalId: null,
    version: chainVersion,
    read: async (reads) => {
      const values: unknown[] = []
      for (const page of pages) {
        const { value } = await reads.use(page)
        values.push(value)
        if (!(value as { hasNext: boolean }).hasNext) break
      }
      return { value: values }
    },
    complete: (values, completion) => ({
      items: values.flatMap((value, n) => pages[n]?.complete(value, completion).items ?? []),
      asOf: completion.asOf,
    }),
  }
}

export const parseCalendarRequest: RequestParser<CalendarData>['parseRequest'] = ({ query }) => ({
  query: createQuery(parseQuery(query, ['proposer', 'messageType'])),
  params: {},
})
