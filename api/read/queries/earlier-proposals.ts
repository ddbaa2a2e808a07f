// Reads the earlier proposals of the same proposer, and those whose first message has the same type.
import { addressKey } from '../../../ingest/contract/address.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { isOpen } from '../../proposal-status.ts'
import type { Proposal } from '../../schemas/proposal.ts'
import { createInnerQuery, proposalVersion, type Query } from '../query.ts'
import { isSettled, type Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  requireOneState,
  type StoreReads,
  selectFrom,
  takeCharacters,
} from './as-of.ts'

export type EarlierProposal = {
  proposalId: string
  title: string
  /** Null while it is open: the version does not change when a vote starts. */
  status: string | null
}

export type EarlierProposals = {
  /** Null if the proposer is not known. */
  ofProposer: readonly EarlierProposal[] | null
  /** Null without a message, and for a message that can do anything. */
  ofKind: { messageType: string; items: readonly EarlierProposal[] } | null
}

const MAX_SHOWN = 5
const TITLE_LENGTH = 200

type Ends = {
  closed: number
  /** The lowest id of an open proposal. */
  firstOpen: bigint | null
}

/** Each request compares versions, so the proposals of a snapshot are counted once. */
const known = new WeakMap<Snapshot, Ends>()

const countEnds = (snapshot: Snapshot): Ends => {
  const counted = known.get(snapshot)
  if (counted) return counted
  const open = [...snapshot.watermarks].filter(([, { final }]) => !final).map(([id]) => BigInt(id))
  const [first = null, ...others] = open
  const ends: Ends = {
    closed: snapshot.watermarks.size - open.length,
    firstOpen: others.reduce((least, id) => (least !== null && id < least ? id : least), first),
  }
  known.set(snapshot, ends)
  return ends
}

/** Changes with every event of the proposal, and with the end of any other one. */
export const versionWithEarlier =
  (proposalId: string) =>
  (snapshot: Snapshot): string =>
    `${proposalVersion(proposalId)(snapshot)}/${countEnds(snapshot).closed}`

/** True if neither the proposal nor an earlier one can change any more. */
export const isFinalWithEarlier =
  (proposalId: string) =>
  (snapshot: Snapshot): boolean => {
    const own = snapshot.watermarks.get(proposalId)
    if (own === undefined || !isSettled(own)) return false
    const { firstOpen } = countEnds(snapshot)
    return firstOpen === null || firstOpen > BigInt(proposalId)
  }

/** The legacy content of this message can do anything, so its type is no kind. */
const IS_LEGACY = /\.MsgExecLegacyContent$/
/** Other types have no filtered list. */
const IS_TYPE = /^\/[\w.]{1,200}$/

const findKind = ({ messageTypes: [type = ''] }: Pick<Proposal, 'messageTypes'>) =>
  IS_TYPE.test(type) && !IS_LEGACY.test(type) ? type : null

const LISTED = TABLES.proposals.select(['proposalId', 'title', 'status', 'version'], {
  title: takeCharacters(TITLE_LENGTH),
})

const readEarlier = async (
  reads: StoreReads,
  condition: string,
  params: { id: string; value: string },
): Promise<EarlierProposal[]> => {
  const { snapshot } = reads
  const rows = await selectFrom(
    reads,
    LISTED,
    `${buildLatestTable(snapshot, TABLES.proposals)}
     WHERE proposal_id < {id:UInt64} AND ${condition} = {value:String}
     ORDER BY proposal_id DESC LIMIT ${MAX_SHOWN}`,
    params,
  )
  for (const row of rows) requireOneState(row, [], snapshot)
  return rows.map((row) => ({
    proposalId: row.proposalId,
    title: row.title,
    status: isOpen(row) ? null : row.status,
  }))
}

type Subject = Pick<Proposal, 'proposalId' | 'proposer' | 'messageTypes'>

export const createEarlierQuery = (subject: Subject): Query<EarlierProposals> => {
  const { proposalId: id, proposer } = subject
  const key = proposer === null ? null : addressKey(proposer)
  return createInnerQuery({
    name: `earlier proposals of ${id}`,
    proposalId: id,
    version: versionWithEarlier(id),
    isFinal: isFinalWithEarlier(id),
    read: async (reads) => {
      const messageType = findKind(subject)
      const [ofProposer, items] = await Promise.all([
        key === null ? null : readEarlier(reads, 'proposer_key', { id, value: key }),
        messageType === null
          ? null
          : readEarlier(reads, 'message_types[1]', { id, value: messageType }),
      ])
      const ofKind = messageType === null || items === null ? null : { messageType, items }
      return { value: { ofProposer, ofKind } }
    },
  })
}
