// Every guarantee: its sentence in a README, the clauses that ask for it, and the levels of the tests that prove it. A test names what it
// proves by the tag: `{ tags: 'api:newest-first' }`.
import type { ClauseId } from './clauses.ts'

export type Guarantee = {
  /** Word for word in the README of its package: see `READMES`. */
  text: string
  /** Clauses of the specification and the contract. Without one, the README alone gives it. */
  source: readonly ClauseId[]
  /** The folders below `test/` that prove it: one file in each, at most two. */
  levels: readonly [string] | readonly [string, string]
}

export const GUARANTEES = {
  'rollcall:only-reads': {
    text: 'Rollcall only reads: it asks a node for blocks and state, and sends no transaction.',
    source: ['S1'],
    levels: ['integration'],
  },
  'rollcall:starts-alone': {
    text: '`rollcall start` in an empty folder serves the recorded demo chain, without any other service.',
    source: [],
    levels: ['e2e'],
  },
  'rollcall:services-equal-one-machine': {
    text: 'Services on Kafka and ClickHouse serve the same data as one machine.',
    source: [],
    levels: ['kafka'],
  },

  'ingest:no-height-skipped': {
    text: 'No height is skipped or repeated, whatever an endpoint answers.',
    source: [],
    levels: ['property', 'sim'],
  },
  'ingest:height-is-atomic': {
    text: 'A height is in the log as a whole or not at all, even after a kill during the append.',
    source: [],
    levels: ['integration', 'sim'],
  },
  'ingest:same-bytes': {
    text: 'The same blocks give the same facts and tallies in the log; only readings of open votes depend on the tip.',
    source: [],
    levels: ['property'],
  },
  'ingest:every-vote-counts': {
    text: 'A vote counts whatever carried it: a transaction, a contract, authz, or an event of the end block.',
    source: ['C58'],
    levels: ['integration', 'unit'],
  },
  'ingest:missing-state-is-null': {
    text: 'State that no endpoint can report is `null` with the reason.',
    source: ['C10'],
    levels: ['unit'],
  },
  'ingest:late-reads': {
    text: 'What cannot change any more and could not be read in time is read from a later state.',
    source: [],
    levels: ['integration', 'unit'],
  },
  'ingest:state-decides': {
    text: 'A proposal that the chain submits, ends, prolongs or deletes without an event of x/gov is found by its state.',
    source: [],
    levels: ['unit'],
  },
  'ingest:undecodable-event-is-kept': {
    text: 'A governance event that cannot be decoded is kept with the reason, and an alert is raised.',
    source: [],
    levels: ['unit'],
  },
  'ingest:endpoints-are-compared': {
    text: 'A height whose governance events differ between endpoints waits until a majority agrees.',
    source: [],
    levels: ['hostile'],
  },
  'ingest:state-is-the-record': {
    text: 'A ballot of the state counts without an event, and one that only an event has does not count.',
    source: ['C58'],
    levels: ['hostile', 'unit'],
  },
  'ingest:limits-are-obeyed': {
    text: 'An endpoint that limits requests is asked more slowly, and no fact is lost by a refusal.',
    source: [],
    levels: ['sim', 'unit'],
  },
  'ingest:chains-are-not-mixed': {
    text: 'A block of another chain, or of a fork, is never indexed.',
    source: [],
    levels: ['integration'],
  },
  'ingest:outage-loses-nothing': {
    text: 'An outage of all endpoints delays events, and leaves the same log.',
    source: [],
    levels: ['sim'],
  },
  'ingest:full-disk-loses-nothing': {
    text: 'A full disk pauses indexing with an alert; indexing resumes by itself and loses nothing.',
    source: [],
    levels: ['sim'],
  },
  'ingest:crowded-block': {
    text: 'A block may have any number of events; governance events that a height has no room for are counted.',
    source: [],
    levels: ['hostile', 'unit'],
  },
  'ingest:large-event-is-reduced': {
    text: 'An event that is too large for the log is stored without its largest parts, and names them.',
    source: [],
    levels: ['hostile'],
  },
  'ingest:invalid-time-is-refused': {
    text: 'A block time that is not a valid time never enters the log.',
    source: [],
    levels: ['hostile'],
  },
  'ingest:earlier-time-is-refused': {
    text: 'A block time before the previous one is refused, unless every endpoint keeps reporting it.',
    source: [],
    levels: ['hostile'],
  },
  'ingest:headers-are-verified': {
    text: 'With `VERIFY_HEADERS`, a block is indexed only if more than two thirds of its validators signed it.',
    source: [],
    levels: ['devnet', 'integration'],
  },
  'ingest:lists-are-bounded': {
    text: 'A list that is endless or too large is refused, and another endpoint is asked for all of it.',
    source: [],
    levels: ['hostile'],
  },
  'ingest:responses-share-memory': {
    text: 'All responses that are received at the same time share one budget of memory.',
    source: [],
    levels: ['unit'],
  },
  'ingest:large-responses-are-bounded': {
    text: 'A response that is too large is refused by name before it is parsed; a large one is parsed in parts.',
    source: [],
    levels: ['hostile'],
  },
  'ingest:proofs-are-verified': {
    text: 'A proof is verified before it is written; without a valid one in time, it is `null` with the reason.',
    source: [],
    levels: ['unit'],
  },
  'ingest:messages-equal-rest': {
    text: 'A message is decoded with the schema of its chain, and equals what the REST API of the node returns.',
    source: ['C21'],
    levels: ['unit'],
  },
  'ingest:undecodable-message-is-kept': {
    text: 'A message that cannot be decoded is kept as bytes with the reason, and never shown as another type.',
    source: ['C6'],
    levels: ['unit'],
  },

  'projections:same-tables': {
    text: 'Other batches, restarts, kills and repeated deliveries do not change the tables.',
    source: [],
    levels: ['property', 'sim'],
  },
  'projections:whole-heights': {
    text: 'A reader never sees a part of a height, even after an interrupted commit.',
    source: [],
    levels: ['unit'],
  },
  'projections:undecodable-records': {
    text: 'An event that cannot be decoded is reported, and its proposal says that it is partial.',
    source: [],
    levels: ['sim'],
  },
  'projections:impossible-number-is-null': {
    text: 'A number that cannot be right is `null` with a reason.',
    source: ['C10'],
    levels: ['hostile'],
  },
  'projections:unstorable-row': {
    text: 'A row that its table refuses stops its own proposal, with key and reason, and all others continue.',
    source: [],
    levels: ['hostile'],
  },
  'projections:defect-stops': {
    text: 'A defect stops the projections before the event is committed.',
    source: [],
    levels: ['sim'],
  },
  'projections:tally-matches-chain': {
    text: 'At each close the tally is recomputed from the log and compared with the tally of the chain.',
    source: ['C12', 'C13', 'C59'],
    levels: ['integration', 'unit'],
  },
  'projections:live-tally': {
    text: 'The tally of an open vote equals the answer of the node at the same height.',
    source: ['C59'],
    levels: ['hostile'],
  },
  'projections:rebuild-gives-same-tables': {
    text: 'A rebuild gives the same tables, also while new heights are indexed.',
    source: [],
    levels: ['integration'],
  },
  'projections:rebuild-is-invisible': {
    text: 'Readers see no error, no mixture and no gap during a rebuild, a switch and the way back.',
    source: [],
    levels: ['integration'],
  },
  'projections:rebuild-can-be-interrupted': {
    text: 'A rebuild that is interrupted or fails leaves what is served unchanged, and can be finished.',
    source: [],
    levels: ['integration'],
  },
  'projections:difference-needs-consent': {
    text: 'Tables that differ from the served ones replace them only once a person accepts it.',
    source: [],
    levels: ['integration'],
  },
  'projections:switch-can-be-reverted': {
    text: 'A switch can be reverted, at once or later.',
    source: [],
    levels: ['integration'],
  },
  'projections:retired-generation-is-kept': {
    text: 'A retired generation is kept for at least 15 minutes.',
    source: [],
    levels: ['integration'],
  },
  'projections:analysts-read-views': {
    text: 'An analyst can read the views and nothing else, within limits.',
    source: [],
    levels: ['hostile', 'integration'],
  },
  'projections:past-votes': {
    text: 'A vote that ended before the first height has the rows of an indexed one, except times and transactions.',
    source: ['C11'],
    levels: ['integration'],
  },
  'projections:missed-votes': {
    text: 'A missed vote is the same in the tables, the views, the read API and its pages.',
    source: ['C31', 'C32'],
    levels: ['integration'],
  },

  'api:one-state-per-page': {
    text: 'A page never mixes two states of a proposal.',
    source: ['C19'],
    levels: ['integration'],
  },
  'api:pages-say-their-height': {
    text: 'Every page of governance data names the height that it is as of.',
    source: ['C19'],
    levels: ['integration'],
  },
  'api:pages-never-shift': {
    text: 'Pages never shift under an agent that walks them by cursor: no row is skipped or repeated.',
    source: ['C22', 'C27'],
    levels: ['integration'],
  },
  'api:cursors-outlive-a-switch': {
    text: 'A cursor stays valid for 15 minutes after a switch, in the generation that issued it.',
    source: ['C20'],
    levels: ['integration', 'unit'],
  },
  'api:forged-cursors-cost-nothing': {
    text: 'A cursor that was not issued is refused, or its page is not cached.',
    source: [],
    levels: ['hostile'],
  },
  'api:errors-are-problems': {
    text: 'Every error of the read API is a problem document (RFC 9457).',
    source: ['S13', 'C1'],
    levels: ['integration'],
  },
  'api:unknown-is-null': {
    text: 'What is not known is `null`, never 0.',
    source: ['C7', 'C10', 'C15'],
    levels: ['integration'],
  },
  'api:not-voted-is-known': {
    text: 'A validator has "not voted" only where that is known: a silent node never makes a vote missing.',
    source: ['C10'],
    levels: ['integration'],
  },
  'api:events-are-unchanged': {
    text: 'Each event has a URL that serves it byte for byte; a list shortens only an event of more than 64 KiB.',
    source: ['C35', 'C8'],
    levels: ['integration'],
  },
  'api:documents-are-true': {
    text: 'Every operation answers as `/openapi.json` describes it.',
    source: ['C5', 'C6', 'C30', 'S11'],
    levels: ['conformance'],
  },
  'api:clients-can-be-generated': {
    text: 'Clients that generators make of `/openapi.json` compile strictly and decode every list and proposal.',
    source: [],
    levels: ['clients'],
  },
  'api:no-token-needed': {
    text: 'Every page can be read without a token.',
    source: ['S1', 'S3'],
    levels: ['hostile'],
  },
  'api:any-instance': {
    text: 'Any number of instances may run; each accepts the cursors and stream ids of the others.',
    source: [],
    levels: ['integration'],
  },
  'api:outage-of-the-store': {
    text: 'Without its store, the API serves what is cached, and answers 503 within 2 s for the rest.',
    source: [],
    levels: ['integration'],
  },
  'api:clients-are-isolated': {
    text: 'A client with many slow reads or many connections does not make other clients wait.',
    source: [],
    levels: ['hostile'],
  },
  'api:unread-responses-end': {
    text: 'A connection ends when the client takes nothing of a response for 30 s.',
    source: [],
    levels: ['hostile'],
  },
  'api:answers-are-bounded': {
    text: 'Every answer is bounded, whatever others wrote; what is left out has a URL.',
    source: ['C8'],
    levels: ['hostile', 'unit'],
  },
  'api:memory-is-bounded': {
    text: 'Invented addresses and header values do not fill the memory.',
    source: [],
    levels: ['hostile'],
  },
  'api:ballot-pages-cost-the-same': {
    text: 'A page of ballots without a filter reads no more rows of the store if there are more ballots.',
    source: ['C30'],
    levels: ['integration'],
  },
  'api:chain-texts-stay-text': {
    text: 'A text from the chain is never markup, neither in HTML nor in Markdown.',
    source: [],
    levels: ['integration', 'property'],
  },
  'api:silence-is-said': {
    text: 'While no new block comes, health, pages and tools say since when, and no page counts down.',
    source: ['C37'],
    levels: ['integration'],
  },
  'api:own-words-first': {
    text: 'A title, a description and a preview begin with what Rollcall knows; texts of others follow as quotations.',
    source: [],
    levels: ['unit'],
  },
  'api:own-files-only': {
    text: 'An HTML page loads only files of this service.',
    source: [],
    levels: ['integration'],
  },
  'api:formats-agree': {
    text: 'A list as CSV or NDJSON has the rows of its JSON page.',
    source: ['C29'],
    levels: ['integration'],
  },
  'api:csv-has-no-formulas': {
    text: 'No cell of a CSV is a formula to a spreadsheet, and the original text can be restored.',
    source: [],
    levels: ['integration'],
  },
  'api:profiles-are-quoted': {
    text: 'The profile of a validator is a quotation: never markup, and links to http, https and ipfs alone, without trust.',
    source: [],
    levels: ['unit'],
  },
  'api:stream-loses-nothing': {
    text: 'The stream reports each change once and in order, also after a reconnect, or it sends `reset`.',
    source: ['C28'],
    levels: ['integration'],
  },
  'api:stream-of-accounts': {
    text: 'A stream of accounts has their votes, and each last day without one, once and in order, also when resumed.',
    source: [],
    levels: ['integration'],
  },
  'api:files-equal-pages': {
    text: 'A Parquet file has the rows of one height, and its sums are those of the API.',
    source: [],
    levels: ['integration'],
  },
  'api:proof-verifies': {
    text: 'A proof of a proposal verifies with what the API serves and one trusted header of the chain.',
    source: [],
    levels: ['integration'],
  },
  'api:mcp-equals-rest': {
    text: 'The data of an MCP tool of an operation are the body of the read API: whole, or the first rows of it.',
    source: ['C53'],
    levels: ['integration'],
  },
  'api:newest-first': {
    text: 'Proposals are listed newest first, 20 a page, and a page past the end is empty.',
    source: ['S9', 'C3'],
    levels: ['integration'],
  },
  'api:detail-carries-votes': {
    text: 'A proposal carries page 0 of its votes, as the list of its votes has it.',
    source: ['S8', 'S10'],
    levels: ['integration'],
  },
  'api:amounts-are-text': {
    text: 'Amounts are decimal text in the base unit, and turnout is measured against the stake of the tally.',
    source: ['C17', 'C18'],
    levels: ['integration'],
  },
  'api:final-answers-stay': {
    text: 'The answer of a closed proposal and its ETag never change again.',
    source: ['C19'],
    levels: ['integration'],
  },
  'api:health-is-true': {
    text: 'Health is ok only where heights and seconds behind are small; while they shrink it is catching up.',
    source: ['S11', 'C37'],
    levels: ['integration'],
  },
  'api:proposals-are-filtered': {
    text: 'Proposals are filtered by status, proposer and text, and every link of a page keeps the filter.',
    source: ['C26'],
    levels: ['integration'],
  },
  'api:powers-are-exact': {
    text: 'The parts of the pools are exact, and add up to the tally before its one truncation.',
    source: ['C23'],
    levels: ['integration'],
  },
  'api:delegators-alone': {
    text: 'A pool of which only delegators voted has no vote of its own, and the votes that it would carry.',
    source: ['C24'],
    levels: ['integration'],
  },
  'api:rounds-are-kept': {
    text: 'A vote that was started again serves its current round, and each earlier one by its number.',
    source: ['C25'],
    levels: ['integration'],
  },
  'api:mistakes-are-named': {
    text: 'A wrong parameter is refused, and each mistake is named with its parameter.',
    source: ['C2'],
    levels: ['integration'],
  },
  'api:ids-are-canonical': {
    text: 'An ID has one URL: leading zeros redirect to it, and an ID beyond uint64 is not found.',
    source: ['S13', 'C4'],
    levels: ['integration'],
  },
  'api:bad-token-is-refused': {
    text: 'A bad token is refused with a challenge, and one outside the header field too.',
    source: ['S17', 'C41'],
    levels: ['integration'],
  },
  'api:caches-can-trust': {
    text: 'An answer has a strong ETag of its format and coding, and is kept a second while open, a day when closed.',
    source: ['C39'],
    levels: ['integration'],
  },
  'api:quotas-are-told': {
    text: 'Every answer names the quota of its client; beyond it the answer is 429 with `Retry-After`.',
    source: ['C40'],
    levels: ['integration'],
  },
  'api:accounts-have-one-record': {
    text: 'An account is found by each form of its address; one of another chain is 404 with the form of this one.',
    source: ['C33'],
    levels: ['integration'],
  },
  'api:quorum-is-dated': {
    text: 'The turnout over time ends with that of the tally, and has the height and time of the quorum.',
    source: ['C34', 'C14'],
    levels: ['integration'],
  },
  'api:rule-is-named': {
    text: 'A tally names its rule, the height at which the node counted the same, and whether the node reported it.',
    source: ['C16', 'C12'],
    levels: ['integration'],
  },
  'api:demo-is-named': {
    text: 'Every answer about the demo chain says that it is one, and none about another chain does.',
    source: ['C9'],
    levels: ['integration'],
  },
  'api:pages-need-no-script': {
    text: 'Every proposal, validator and list is reached from the root by links and forms, without a script.',
    source: ['S2'],
    levels: ['integration'],
  },
  'api:pages-for-agents': {
    text: 'A page is Markdown for an agent that accepts it, and names its JSON.',
    source: ['C51'],
    levels: ['integration'],
  },
  'api:discovery-is-whole': {
    text: 'Every document of discovery is served at its path, and each of its links answers.',
    source: ['S11', 'S12', 'S14', 'S21', 'C50'],
    levels: ['documented'],
  },
  'api:mcp-without-sessions': {
    text: 'MCP answers POST alone, without a session, and refuses the pages of foreign origins.',
    source: ['S19', 'C52'],
    levels: ['integration'],
  },
  'api:mcp-tools-are-read-only': {
    text: 'The tools of MCP are those of the contract, read-only, and all resources are reached by templates.',
    source: ['C53', 'C56'],
    levels: ['integration'],
  },
  'api:mcp-takes-names': {
    text: 'A tool takes the name of a pool for its address, and says which pool it took.',
    source: ['C54'],
    levels: ['integration'],
  },
  'api:mcp-null-is-absent': {
    text: 'Parameters of MCP that are null or an empty array are absent.',
    source: ['C54'],
    levels: ['integration'],
  },
  'api:mcp-fits-an-assistant': {
    text: 'The list of tools is at most 4,000 tokens, and no default result is over 12,000.',
    source: ['C55'],
    levels: ['integration'],
  },
  'api:mcp-shows-the-way': {
    text: 'A tool that finds nothing, or refuses its arguments, says what would be right.',
    source: ['C57'],
    levels: ['integration'],
  },

  'auth:registration-writes-nothing': {
    text: 'Anonymous registration writes nothing.',
    source: ['S5', 'S20'],
    levels: ['hostile', 'integration'],
  },
  'auth:one-order': {
    text: 'One log decides which claim or ID-JAG came first, for every instance and after every restart.',
    source: ['S4'],
    levels: ['integration'],
  },
  'auth:revocation-is-immediate': {
    text: 'A revoked token is refused by the next request here, and within one second elsewhere.',
    source: ['S16', 'C46'],
    levels: ['e2e', 'integration'],
  },
  'auth:revocation-is-never-refused': {
    text: 'No flood from other networks, and no full memory, prevents a revocation.',
    source: [],
    levels: ['hostile'],
  },
  'auth:one-kind-of-token': {
    text: 'No token is accepted in place of another kind of token.',
    source: [],
    levels: ['hostile', 'integration'],
  },
  'auth:read-only-tokens': {
    text: 'Every token has the one scope `proposals:read`: it cannot vote or move funds.',
    source: ['S3', 'S17'],
    levels: ['integration'],
  },
  'auth:tokens-are-not-stored': {
    text: 'No token is in the log of agents, and none is written to a log line.',
    source: [],
    levels: ['browser', 'integration'],
  },
  'auth:keys-are-private': {
    text: 'A signing key that other users can read is refused, and no message shows a key.',
    source: [],
    levels: ['integration', 'unit'],
  },
  'auth:key-rotation': {
    text: 'Clients do not notice that the signing key is rotated.',
    source: ['C49'],
    levels: ['e2e'],
  },
  'auth:email-is-refused': {
    text: 'Registration by verified email is refused, and the answer names anonymous registration.',
    source: ['S7'],
    levels: ['integration'],
  },
  'auth:claim-needs-signature': {
    text: 'A claim is completed only by a signature of its own text, and each signature is taken once.',
    source: ['S18', 'C44'],
    levels: ['integration'],
  },
  'auth:lifetimes-are-configurable': {
    text: 'Each configured lifetime of a token or a claim is the one that is issued and enforced.',
    source: ['C47'],
    levels: ['hostile', 'integration'],
  },
  'auth:login-steps-once': {
    text: 'A code or a refresh token gives tokens once, on any instance; a second use ends its login.',
    source: [],
    levels: ['hostile'],
  },
  'auth:login-needs-a-person': {
    text: 'A login needs the button of its own page in the same browser; no other page can frame or press it.',
    source: [],
    levels: ['hostile'],
  },
  'auth:own-redirects-only': {
    text: "A code goes to a redirect URI of the client's own document or registration, and nowhere else.",
    source: [],
    levels: ['hostile'],
  },
  'auth:claim-ends-earlier-tokens': {
    text: 'A claim ends the tokens that the agent had before.',
    source: [],
    levels: ['hostile'],
  },
  'auth:registration-is-one-request': {
    text: 'One request registers an agent and returns a token that works at once.',
    source: ['S4', 'S5', 'C42'],
    levels: ['integration'],
  },
  'auth:metadata-agree': {
    text: 'The documents of auth have one issuer, one scope and equal values under the names of every version.',
    source: ['S6', 'S17', 'C42', 'C49'],
    levels: ['integration'],
  },
  'auth:id-jag-is-verified': {
    text: 'An ID-JAG is accepted of a configured issuer, for this service and once, and refused by the name of its fault.',
    source: ['S4', 'C43'],
    levels: ['integration'],
  },
  'auth:every-grant': {
    text: 'Each grant gives a token by RFC 6749, and every refusal has its code.',
    source: ['S15', 'C45'],
    levels: ['integration'],
  },
  'auth:claim-is-optional': {
    text: 'An agent polls its claim, a person can refuse it, and without one the agent stays valid.',
    source: ['S18', 'C44'],
    levels: ['integration'],
  },
  'auth:registration-is-limited': {
    text: 'Registrations of one address are limited, and the refusal says when the next one is accepted.',
    source: ['C48'],
    levels: ['integration'],
  },

  'infra:append-is-atomic': {
    text: 'An append is stored as a whole or not at all, even after a kill or on a full disk.',
    source: [],
    levels: ['integration', 'kafka'],
  },
  'infra:one-writer': {
    text: 'A writer that another one replaced is refused at its next append, and nothing of that append is stored.',
    source: [],
    levels: ['contracts', 'kafka'],
  },
  'infra:no-loop-waits-for-a-lock': {
    text: 'A process that is frozen while it appends blocks no event loop of another one, and no read.',
    source: [],
    levels: ['integration'],
  },
  'infra:logs-are-equal': {
    text: 'The embedded log and the log on Kafka hold the same events, byte for byte.',
    source: [],
    levels: ['kafka'],
  },
  'infra:damaged-log-is-refused': {
    text: 'A damaged log is refused by name and not changed.',
    source: [],
    levels: ['integration'],
  },
  'infra:one-process-per-data-dir': {
    text: 'One data directory is used by one supervisor at a time.',
    source: [],
    levels: ['integration'],
  },
  'infra:leader-is-replaced': {
    text: 'Another process leads within 10 s of the death of the leader, and no height is lost or repeated.',
    source: [],
    levels: ['kafka'],
  },
  'infra:children-are-restarted': {
    text: 'The supervisor restarts every child process that ends, and the reader serves meanwhile.',
    source: [],
    levels: ['e2e'],
  },
  'infra:endpoints-are-chosen': {
    text: '`rollcall start <chain>` takes endpoints without a problem, of two operators, that agree with most others.',
    source: [],
    levels: ['e2e', 'unit'],
  },
  'infra:wrong-settings': {
    text: 'A start with wrong settings names every one of them at once and changes nothing.',
    source: [],
    levels: ['e2e'],
  },
  'infra:quick-stop': {
    text: 'Ctrl-C ends every process within 5 s.',
    source: [],
    levels: ['e2e'],
  },
  'infra:export-is-exact': {
    text: 'An export that is imported gives the same log, byte for byte.',
    source: [],
    levels: ['integration'],
  },
  'infra:import-is-checked': {
    text: 'An import that is refused appends nothing.',
    source: [],
    levels: ['integration'],
  },
  'infra:verify-finds-damage': {
    text: '`rollcall verify` finds a lost, changed or invented event and says where.',
    source: [],
    levels: ['integration'],
  },
  'infra:tally-can-be-recomputed': {
    text: '`rollcall tally verify` recomputes a tally from the served evidence alone.',
    source: ['C36'],
    levels: ['unit'],
  },
  'infra:proof-needs-no-trust': {
    text: '`rollcall proof verify` and the proposal page accept no status or tally that the chain did not sign.',
    source: [],
    levels: ['browser', 'unit'],
  },
  'infra:secrets-are-not-logged': {
    text: 'Log lines omit fields that hold passwords or tokens, and name an endpoint by its host alone.',
    source: [],
    levels: ['unit'],
  },
  'infra:operators-have-a-port': {
    text: 'Liveness, readiness and metrics are on a port of operators, which answers its own names alone.',
    source: ['C38'],
    levels: ['unit'],
  },

  'deploy:api-cannot-write': {
    text: 'The api has no private key and no right to write to the store.',
    source: [],
    levels: ['hostile'],
  },
  'deploy:no-default-secrets': {
    text: 'No secret has a default, and nothing starts without it.',
    source: [],
    levels: ['unit'],
  },
  'deploy:brokers-are-isolated': {
    text: 'Only what uses the log can reach its brokers.',
    source: [],
    levels: ['hostile'],
  },
  'deploy:runbook-is-tested': {
    text: 'Every command of the runbook is run by a test.',
    source: [],
    levels: ['documented'],
  },
} as const satisfies Readonly<Record<string, Guarantee>>

export type GuaranteeId = keyof typeof GUARANTEES

/** The prefix of an id before the colon, and the page with its guarantees. */
export const READMES: Readonly<Record<string, string>> = {
  rollcall: 'README.md',
  ingest: 'ingest/README.md',
  projections: 'projections/README.md',
  api: 'api/README.md',
  auth: 'auth/README.md',
  infra: 'infra/README.md',
  deploy: 'infra/deploy/README.md',
}

declare module 'vitest' {
  interface TestTags {
    guarantees: GuaranteeId
  }
}
