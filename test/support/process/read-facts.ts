// Reads what any two deployments of one chain serve, whatever processes were killed and whatever heights each of them read.
import { formatPath } from '../../../api/resources/path-parameters.ts'
import { PROPOSAL_LISTS } from '../../answers/every-answer.ts'
import { getJson, readList, until } from './rollcall-process.ts'

type Item = { proposalId: string; status: string; type?: string; data?: { final?: boolean } }

const isLiveReading = ({ type, data }: Item): boolean =>
  type === 'rollcall.round.read.v1' && data?.final !== true

/** Members that follow from the heights of the readings alone, and those that also do while a vote is open. */
const OF_A_READING = ['rank', 'provedAt', 'stakeAt']
const OF_LIVE_STAKE = [
  'updatedAt',
  'tally',
  'votingPower',
  'bondedTokens',
  'delegators',
  'delegations',
]

const CATCH_UP_MS = 240_000

type Health = { chain: { height: number } | null; lagEvents: number }

/** Every item of every list once the chain is indexed to its end, sorted. */
export const readFacts = async (url: string, lastHeight: number): Promise<string[]> => {
  await until(`height ${lastHeight} at ${url}`, CATCH_UP_MS, async () => {
    const { chain, lagEvents } = await getJson<Health>(url, '/api/health')
    return chain?.height === lastHeight && lagEvents === 0 ? true : undefined
  })
  const facts: string[] = []
  for (const proposal of await readList<Item>(url, '/api/proposals')) {
    const { proposalId, status } = proposal
    const ofVotes = status === 'voting_period' ? [...OF_A_READING, ...OF_LIVE_STAKE] : OF_A_READING
    const toFact = (item: Item, left: readonly string[]) =>
      JSON.stringify(item, (key, value) => (left.includes(key) ? undefined : value))
    facts.push(toFact(proposal, ofVotes))
    for (const { path } of PROPOSAL_LISTS) {
      const items = await readList<Item>(url, formatPath<string>(path, { proposalId }))
      const left = path.endsWith('/events') ? OF_A_READING : ofVotes
      const kept = items.filter((item) => !isLiveReading(item))
      facts.push(...kept.map((item) => `${proposalId} ${path} ${toFact(item, left)}`))
    }
  }
  const missing = PROPOSAL_LISTS.filter(
    ({ path }) => !facts.some((fact) => fact.includes(` ${path} `)),
  )
  if (missing.length > 0)
    throw new Error(`no item of ${missing.map(({ path }) => path).join(', ')}`)
  return facts.sort()
}
