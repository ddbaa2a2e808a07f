// Reads what any two deployments of one chain serve, whatever processes were killed and whatever heights each of them read.
import { LISTS } from '../../../api/resources/operations.ts'
import { formatPath } from '../../../api/resources/path-parameters.ts'
import { getJson, readList, until } from './rollcall-process.ts'

const PROPOSAL_LISTS = LISTS.filter(({ path }) => path.startsWith('/api/proposals/:proposalId/'))

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

const CATCH_UP_MS = 480_000

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
    const left = status === 'voting_period' ? [...OF_A_READING, ...OF_LIVE_STAKE] : OF_A_READING
    const toFact = (item: Item) =>
      JSON.stringify(item, (key, value) => (left.includes(key) ? undefined : value))
    facts.push(toFact(proposal))
    for (const { path } of PROPOSAL_LISTS) {
      const items = await readList<Item>(url, formatPath<string>(path, { proposalId }))
      const kept = items.filter((item) => !isLiveReading(item))
      facts.push(...kept.map((item) => `${proposalId} ${path} ${toFact(item)}`))
    }
  }
  return facts.sort()
}
