// The table `proposals`: one declaration of its names, keys and columns.
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
import { coin } from './tuples.ts'

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
    /** JSON of a `ProposalContext`. */
    context: longText("JSON: the chain's state of what the messages touch"),
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
