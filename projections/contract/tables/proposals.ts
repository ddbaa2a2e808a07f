// The tables of proposals and of events.
import {
  bool,
  id,
  label,
  list,
  longText,
  nullable,
  safeInteger,
  text,
  time,
  uint16,
  uint32,
  uint64,
} from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'
import { tuple } from '../table/record.ts'

const coin = tuple({ denom: text(), amount: text() })

/** `metadata`: the proposal has no text of its own. Empty: it has none at all. */
type TextSource = 'proposal' | 'metadata' | ''

export const proposals = defineTable('proposals', {
  comment: 'One row per proposal',
  key: ['proposalId'],
  version: 'version',
  granularity: 256,
  indexes: { proposerKey: 'bloom_filter' },
  columns: {
    proposalId: id("The chain's id"),
    title: text('Of the proposal, or of its metadata if the proposal has none'),
    titleSource: label<TextSource>('proposal or metadata; empty without a title'),
    summary: text('Of the proposal, or of its metadata if the proposal has none'),
    summarySource: label<TextSource>('proposal or metadata; empty without a summary'),
    authors: list(text(), 'From the metadata, not verified'),
    forumUrl: nullable(text('From the metadata, not verified; NULL if there is none')),
    metadata: text('Unchanged; empty if the chain has none'),
    proposer: nullable(text('Account address; NULL if the chain did not store it')),
    proposerKey: nullable(
      text("Key of the proposer's bytes: equal for every text of its address; NULL likewise"),
    ),
    messageTypes: list(text(), 'Type URLs of the first 20 messages, in order'),
    messageCount: uint32('The number of messages'),
    furtherMessageTypes: list(text(), 'The other types of the messages, each once'),
    messages: longText('JSON array of the messages'),
    /** JSON of `ParameterChanges`. */
    changes: longText('JSON: the parameters that the messages change, or why they are not known'),
    status: label(
      'deposit_period, voting_period, passed, rejected, failed, canceled, dropped, vetoed',
    ),
    expedited: bool("The chain's own flag: false after an expedited vote failed"),
    round: uint16('Voting round: 0 before any vote, 1 the first, 2 after an expedited vote failed'),
    roundReason: nullable(text('Why round is only the lowest possible one; NULL if it is known')),
    failedReason: nullable(text("The chain's reason for failed and rejected")),
    submitTime: nullable(time('When it was submitted')),
    depositEndTime: nullable(time('When the deposit period ends')),
    votingStartTime: nullable(time('When voting began; NULL if it never did')),
    votingEndTime: nullable(time('Scheduled end of voting')),
    closedTime: nullable(time('Time of the block that closed it; NULL while open')),
    closedHeight: nullable(safeInteger('Height of the block that closed it; NULL while open')),
    totalDeposit: list(coin, 'Deposits, in base units'),
    minDeposit: list(
      coin,
      'Deposit that starts a vote, in base units: by the latest parameters during its deposit period, then by those at its end; empty if unknown',
    ),
    expeditedMinDeposit: list(coin, 'The same for an expedited vote; empty if the chain has none'),
    minDepositReason: nullable(text('Why min_deposit is unknown; NULL if it is known')),
    submittedHeight: nullable(
      safeInteger('NULL if it was submitted before the first indexed height'),
    ),
    submittedTxHash: nullable(text('NULL if no transaction submitted it, or if it is unknown')),
    history: label<'complete' | 'partial' | 'reconstructed'>(
      'complete; partial if some of its facts are missing; reconstructed if it was recomputed from past states of the chain',
    ),
    historyReason: nullable(text('What is missing or not known; NULL if complete')),
    version: uint64('Position of the event this row follows'),
  },
})
export type ProposalRow = RowOf<typeof proposals>

export const messageBytes = defineTable('messageBytes', {
  comment: 'Fields of messages that are too long for the messages column, in chunks',
  key: ['proposalId', 'message', 'path', 'chunk'],
  version: 'version',
  granularity: 1,
  columns: {
    proposalId: id("The chain's id"),
    message: uint32('Index of the message in the proposal, from 0'),
    path: text('JSON pointer of the field in the message'),
    chunk: uint32('Number of this chunk, from 0'),
    chunks: uint32('How many chunks the field has'),
    sha256: text('SHA-256 of all bytes of the field, in hex'),
    size: safeInteger('Bytes of the whole field'),
    bytes: longText('This chunk of the bytes, in base64'),
    version: uint64('Position of the event this row follows'),
  },
})

export const watermarks = defineTable('watermarks', {
  comment: 'What may be served of each proposal',
  key: ['proposalId'],
  version: 'position',
  granularity: 256,
  columns: {
    proposalId: id('The proposal'),
    position: uint64('Of the latest event that any fact of this proposal follows'),
    time: time('Block time of that event'),
    final: bool('True once no fact of this proposal can change'),
    awaits: bool('True if a later state may still fill in what is null of a final proposal'),
  },
})

export const events = defineTable('events', {
  comment: 'Every event of the log',
  key: ['proposalId', 'position'],
  granularity: 256,
  indexes: { type: 'set(16) GRANULARITY 1', depositorKey: 'bloom_filter GRANULARITY 1' },
  columns: {
    position: uint64('height · 2^32 + index: order on the chain, and the key'),
    proposalId: id('The proposal the event is about; 0 for chain-wide facts'),
    type: label('rollcall.<name>.v1, such as rollcall.vote.cast.v1'),
    id: text('CloudEvents id: chainId/height/index'),
    height: safeInteger('Block height'),
    time: time('Block time'),
    depositorKey: text(
      "Key of the bytes of a deposit's account: equal for every text of its address; empty for other events, and if it is unknown",
    ),
    event: longText('The whole CloudEvent as JSON'),
  },
})
export type EventRow = RowOf<typeof events>
