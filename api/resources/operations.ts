// All operations of the read API, in the order of the documents.
import { proposalBallots } from './ballots.ts'
import { changes } from './changes.ts'
import { dataFiles } from './data-files.ts'
import { proposalDeposits } from './deposits.ts'
import { proposalEvent, proposalEvents } from './events.ts'
import { proposalEvidence } from './evidence.ts'
import { health } from './health.ts'
import { lightBlock, lightBlocks, validators } from './light-blocks.ts'
import type { ListBody, ListResource } from './list.ts'
import { messageBytes, proposalMessages } from './messages.ts'
import type { Download, Operation, RequestParser } from './operation.ts'
import { pools } from './pools.ts'
import { proposal } from './proposal.ts'
import { proposalProof } from './proposal-proof.ts'
import { proposals } from './proposals.ts'
import { poolVotes, voterVotes } from './records.ts'
import { proposalTurnout } from './turnout.ts'
import { proposalVotes } from './votes.ts'
import { governanceMetrics, votesOfPools } from './votes-of-pools.ts'

/** A list of any items. */
export type AnyList = Operation &
  RequestParser<ListBody<unknown>> &
  Pick<ListResource<never, never, unknown, ListBody<unknown>>, 'columns' | 'parseFormattedRequest'>

export const OPERATIONS: readonly Operation[] = [
  proposals,
  proposal,
  proposalMessages,
  messageBytes,
  proposalDeposits,
  proposalVotes,
  proposalTurnout,
  proposalBallots,
  proposalEvents,
  proposalEvent,
  proposalEvidence,
  pools,
  poolVotes,
  votesOfPools,
  governanceMetrics,
  voterVotes,
  proposalProof,
  lightBlocks,
  lightBlock,
  validators,
  changes,
  dataFiles,
  health,
]

const findKind = <Found extends Operation>(kind: Operation['kind']): readonly Found[] =>
  OPERATIONS.filter((operation): operation is Found => operation.kind === kind)

export const LISTS = findKind<AnyList>('list')

export const ITEMS = findKind<Operation & RequestParser<unknown>>('single')

export const DOWNLOADS = findKind<Operation & RequestParser<Download>>('bytes')
