// The votes of one validator as an Atom feed, newest first. An entry changes only with the vote: it has no status.

import { choices, type Inline } from '../document/line.ts'
import { renderInline } from '../document/text.ts'
import { quotation, validatorName } from '../headline.ts'
import { utcTime } from '../in-words.ts'
import { MISSED } from '../pages/pool-words.ts'
import type { ValidatorFeedData } from '../resources/validator-feed.ts'
import { type Entry, type FeedContext, feedDocument, link, toUrn, UNKNOWN_TIME } from './atom.ts'

type Item = ValidatorFeedData['items'][number]
type DatedVote = Item & { time: string; words: Inline }

const LONGEST_TITLE = 120

/** Without proposals on which only delegators voted. */
const toDatedVote =
  ({ ends }: ValidatorFeedData) =>
  (item: Item): DatedVote[] => {
    const { vote, missed, proposalId } = item
    if (vote) {
      const words = ['Voted ', choices(vote.options)]
      return [{ ...item, time: vote.time ?? UNKNOWN_TIME, words }]
    }
    return missed
      ? [{ ...item, time: ends.get(proposalId) ?? UNKNOWN_TIME, words: 'Missed the vote' }]
      : []
  }

/** Newest first. Votes with one time stay in the order of the list: the newest proposal first. */
const byTime = (a: DatedVote, b: DatedVote): number =>
  a.time === b.time ? 0 : a.time < b.time ? 1 : -1

const describe = ({ words, vote, time, missed }: DatedVote): Inline => {
  if (missed) return [words, `: ${MISSED}`]
  const when = time === UNKNOWN_TIME ? '' : ` on ${utcTime(time)}`
  const where = vote?.height ? ` in block ${vote.height}` : ''
  return [words, when, where, '.']
}

const toEntry = (item: DatedVote, data: ValidatorFeedData, { origin }: FeedContext): Entry => {
  const { proposalId, round, title, words, time } = item
  const { asOf, operatorAddress } = data
  const path = `/proposals/${proposalId}`
  const quoted = quotation(title, LONGEST_TITLE)
  const id = `${asOf.chainId}/pools/${operatorAddress}/votes/${proposalId}/${round ?? 1}`
  const what = renderInline([words, ` on proposal ${proposalId}`], { baseUrl: origin })
  return {
    id: toUrn(id),
    title: [what, ...(quoted === '' ? [] : [quoted])].join(' · '),
    links: [
      link('alternate', 'text/html', `${origin}${path}`),
      link('alternate', 'application/json', `${origin}/api${path}`),
    ],
    updated: time,
    author: 'Rollcall',
    summary: describe(item),
  }
}

export const validatorFeed = (data: ValidatorFeedData, at: FeedContext): string => {
  const { operatorAddress, items, asOf } = data
  const name = validatorName(items[0]?.pool.moniker ?? '', operatorAddress)
  const votes = items.flatMap(toDatedVote(data)).toSorted(byTime)
  const query = new URLSearchParams({ validator: operatorAddress })
  return feedDocument(
    {
      idName: `/feed.atom?${query}`,
      title: `Votes of ${name} on ${asOf.chainId}`,
      subtitle: `The proposals that this validator voted on or missed, newest first.`,
      page: `/pools/${encodeURIComponent(operatorAddress)}`,
      toFeedPath: (path) => `/feed.atom?${query}&${path.split('?', 2)[1] ?? ''}`,
      times: votes.map(({ time }) => time),
      entries: votes.map((item) => toEntry(item, data, at)),
    },
    data,
    at,
  )
}
