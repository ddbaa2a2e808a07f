// Where the MCP server's facts come from: the pages of the read API, byte for byte, and what is held in memory.
import type { PageRequest, PageRoutes, Wish } from '../routes/page-routes.ts'
import { createPoolAndVoterWishes } from '../routes/pools-and-voters.ts'
import { createProposalWishes } from '../routes/proposals.ts'
import type { Health } from '../schemas/health.ts'
import type { ServedState } from '../served/served-state.ts'
import type { PageAsk } from './arguments.ts'

export type Operation =
  | 'listProposals'
  | 'getProposal'
  | 'listProposalVotes'
  | 'listPoolVotes'
  | 'listPools'
  | 'getHealth'

export type McpSources = {
  /** The body that the read API would answer with. Throws `ApiProblem`. */
  read(operation: Operation, ask: PageAsk): Promise<string>
  /** Of every proposal that is served, newest first. */
  proposalIds(): string[]
}

export type McpSourceParts = Pick<
  PageRoutes,
  'store' | 'rounds' | 'pages' | 'baseUrl' | 'memory'
> & {
  state: ServedState
  health: () => Health
}

/** Given the address of the client that asks: its readings take its own slots. */
export const createMcpSources = (parts: McpSourceParts): ((address: string) => McpSources) => {
  const { pages, state, health } = parts
  const wishes: Record<Exclude<Operation, 'getHealth'>, (request: PageRequest) => Wish> = {
    ...createProposalWishes(parts),
    ...createPoolAndVoterWishes(parts),
  }
  return (address) => ({
    read: async (operation, ask) => {
      if (operation === 'getHealth') return JSON.stringify(health())
      const wish = wishes[operation]({ ...ask, url: '' })
      if ('location' in wish) throw new Error(`${operation} was asked for another spelling`)
      const { page } = await pages.get(wish.kind, address)
      return page.body('identity').bytes.toString()
    },
    proposalIds: () =>
      [...(state.current()?.watermarks.keys() ?? [])].sort((a, b) =>
        a.length === b.length ? (a < b ? 1 : -1) : b.length - a.length,
      ),
  })
}
