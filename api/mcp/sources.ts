// The data sources of the MCP server: the resources of the read API, and the snapshot in memory.
import type { Reader } from '../read/reader.ts'
import type { SnapshotSource } from '../read/snapshots/snapshot-source.ts'
import { proposalDeposits } from '../resources/deposits.ts'
import type { RequestParser } from '../resources/operation.ts'
import { poolVotes } from '../resources/pool-votes.ts'
import { pools } from '../resources/pools.ts'
import { proposal } from '../resources/proposal.ts'
import { proposalProof } from '../resources/proposal-proof.ts'
import { proposals } from '../resources/proposals.ts'
import { proposalVotes } from '../resources/votes.ts'
import type { Health } from '../schemas/health.ts'
import type { PageRequest } from './arguments.ts'

const RESOURCES = {
  listProposals: proposals,
  getProposal: proposal,
  listProposalVotes: proposalVotes,
  listProposalDeposits: proposalDeposits,
  getProposalProof: proposalProof,
  listPoolVotes: poolVotes,
  listPools: pools,
} as const satisfies Record<string, RequestParser<object>>

export type Operation = keyof typeof RESOURCES | 'getHealth'

export type McpSources = {
  /** The body of the read API as JSON. Throws `ApiProblem`. */
  read(operation: Operation, request: PageRequest): Promise<string>
  /** All served proposals, newest first. */
  proposalIds(): string[]
}

export type McpSourceParts = {
  reader: Reader
  snapshots: SnapshotSource
  health: () => Health
}

/** The reads of a client use the slots of its address. */
export const createMcpSources =
  ({ reader, snapshots, health }: McpSourceParts): ((address: string) => McpSources) =>
  (address) => ({
    read: async (operation, request) => {
      if (operation === 'getHealth') return JSON.stringify(health())
      const { query } = (RESOURCES[operation] as RequestParser<object>).parseRequest(request)
      const { body } = await reader.get(query, address)
      return JSON.stringify(body)
    },
    proposalIds: () =>
      [...(snapshots.current()?.watermarks.keys() ?? [])].sort((a, b) =>
        a.length === b.length ? (a < b ? 1 : -1) : b.length - a.length,
      ),
  })
