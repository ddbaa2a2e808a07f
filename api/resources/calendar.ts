// `GET /calendar.ics`: open proposals and planned upgrades for calendars, with filters of the list.

import { addressKey } from '../../ingest/contract/address.ts'
import {
  type EstimatedUpgrade,
  estimateUpgrades,
  type UpgradePlan,
  upgradePlans,
} from '../read/queries/upgrade-plans.ts'
import { chainVersion, type Query } from '../read/query.ts'
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import type { RequestParser } from './operation.ts'
import { parseQuery } from './parameters.ts'
import { proposals } from './proposals.ts'

/** Calendars read no further pages, so the first pages are one file. */
const MAX_PAGES = 10

export type CalendarData = {
  items: readonly ProposalSummary[]
  upgrades: readonly EstimatedUpgrade[]
  asOf: AsOf
}

type Filters = { proposer?: string | undefined; messageType?: string | undefined }

const isBy = (plan: UpgradePlan, proposer: string): boolean =>
  plan.proposer !== null && addressKey(plan.proposer) === addressKey(proposer)

const matches =
  ({ proposer, messageType }: Filters) =>
  (plan: UpgradePlan): boolean =>
    (proposer === undefined || isBy(plan, proposer)) &&
    (messageType === undefined ||
      plan.messageTypes.some((type) => type === messageType || type.startsWith(`${messageType}.`)))

type Value = { pages: readonly unknown[]; plans: readonly UpgradePlan[] }

const createQuery = (filters: Filters): Query<Value, CalendarData> => {
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
      const plans = (await reads.use(upgradePlans)).value.filter(matches(filters))
      return { value: { pages: values, plans } }
    },
    complete: ({ pages: values, plans }, completion) => {
      const { asOf } = completion
      const items = values.flatMap((value, n) => pages[n]?.complete(value, completion).items ?? [])
      return { items, upgrades: estimateUpgrades(plans, asOf), asOf }
    },
  }
}

export const parseCalendarRequest: RequestParser<CalendarData>['parseRequest'] = ({ query }) => ({
  query: createQuery(parseQuery(query, ['proposer', 'messageType'])),
  params: {},
})
