// Every guarantee of the READMEs, word for word. The tags of a test are the ids of its guarantees.

/** id → sentence. The part before the colon selects the README: see `READMES`. */
export const GUARANTEES = {
  'rollcall:only-reads':
    'Rollcall only reads: it asks a node for blocks and state, and sends no transaction.',
  'rollcall:starts-alone':
    '`rollcall start` in an empty folder serves the recorded demo chain, without any other service.',
  'rollcall:services-equal-one-machine':
    'Services on Kafka and ClickHouse serve the same data as one machine.',

  'ingest:no-height-skipped': 'No height is skipped or repeated, whatever an endpoint answers.',
  'ingest:height-is-atomic':
    'A height is in the log as a whole or not at all, even after a kill during the append.',
  'ingest:same-bytes':
    'The same blocks give the same facts and tallies in the log; only readings of open votes depend on the tip.',
  'ingest:every-vote-counts':
    'A vote counts whatever carried it: a transaction, a contract, authz, or an event of the end block.',
  'ingest:missing-state-is-null': 'State that no endpoint can report is `null` with the reason.',
  'ingest:late-reads':
    'What cannot change any more and could not be read in time is read from a later state.',
  'ingest:state-decides':
    'A proposal that the chain submits, ends, prolongs or deletes without an event of x/gov is found by its state.',
  'ingest:undecodable-event-is-kept':
    'A governance event that cannot be decoded is kept with the reason, and an alert is raised.',
  'ingest:endpoints-are-compared':
    'A height whose governance events differ between endpoints waits until a majority agrees.',
  'ingest:state-is-the-record':
    'A ballot of the state counts without an event, and one that only an event has does not count.',
  'ingest:limits-are-obeyed':
    'An endpoint that limits requests is asked more slowly, and no fact is lost by a refusal.',
  'ingest:chains-are-not-mixed': 'A block of another chain, or of a fork, is never indexed.',
  'ingest:outage-loses-nothing':
    'An outage of all endpoints delays events, and leaves the same log.',
  'ingest:full-disk-loses-nothing':
    'A full disk pauses indexing with an alert; indexing resumes by itself and loses nothing.',
  'ingest:crowded-block':
    'A block may have any number of events; governance events that a height has no room for are counted.',
  'ingest:large-event-is-reduced':
    'An event that is too large for the log is stored without its largest parts, and names them.',
  'ingest:invalid-time-is-refused': 'A block time that is not a valid time never enters the log.',
  'ingest:earlier-time-is-refused':
    'A block time before the previous one is refused, unless every endpoint keeps reporting it.',
  'ingest:headers-are-verified':
    'With `VERIFY_HEADERS`, a block is indexed only if more than two thirds of its validators signed it.',
  'ingest:lists-are-bounded':
    'A list that is endless or too large is refused, and another endpoint is asked for all of it.',
  'ingest:responses-share-memory':
    'All responses that are received at the same time share one budget of memory.',

  'ingest:large-responses-are-bounded':
    'A response that is too large is refused by name before it is parsed; a large one is parsed in parts.',
  'ingest:proofs-are-verified':
    'A proof is verified before it is written; without a valid one in time, it is `null` with the reason.',
  'ingest:messages-equal-rest':
    'A message is decoded with the schema of its chain, and equals what the REST API of the node returns.',
  'ingest:undecodable-message-is-kept':
    'A message that cannot be decoded is kept as bytes with the reason, and never shown as another type.',

  'projections:same-tables':
    'Other batches, restarts, kills and repeated deliveries do not change the tables.',
  'projections:whole-heights':
    'A reader never sees a part of a height, even after an interrupted commit.',
  'projections:undecodable-records':
    'An event that cannot be decoded is reported, and its proposal says that it is partial.',
  'projections:impossible-number-is-null': 'A number that cannot be right is `null` with a reason.',
  'projections:unstorable-row':
    'A row that its table refuses stops its own proposal, with key and reason, and all others continue.',
  'projections:defect-stops': 'A defect stops the projections before the event is committed.',
  'projections:tally-matches-chain':
    'At each close the tally is recomputed from the log and compared with the tally of the chain.',
  'projections:live-tally':
    'The tally of an open vote equals the answer of the node at the same height.',
  'projections:rebuild-gives-same-tables':
    'A rebuild gives the same tables, also while new heights are indexed.',
  'projections:rebuild-is-invisible':
    'Readers see no error, no mixture and no gap during a rebuild, a switch and the way back.',
  'projections:rebuild-can-be-interrupted':
    'A rebuild that is interrupted or fails leaves what is served unchanged, and can be finished.',
  'projections:difference-needs-consent':
    'Tables that differ from the served ones replace them only once a person accepts it.',
  'projections:switch-can-be-reverted': 'A switch can be reverted, at once or later.',
  'projections:retired-generation-is-kept': 'A retired generation is kept for at least 15 minutes.',
  'projections:analysts-read-views':
    'An analyst can read the views and nothing else, within limits.',
  'projections:past-votes':
    'A vote that ended before the first height has the rows of an indexed one, except times and transactions.',
  'projections:missed-votes':
    'A missed vote is the same in the tables, the views, the read API and its pages.',

  'api:one-state-per-page': 'A page never mixes two states of a proposal.',
  'api:pages-say-their-height': 'Every page of governance data names the height that it is as of.',
  'api:pages-never-shift':
    'Pages never shift under an agent that walks them by cursor: no row is skipped or repeated.',
  'api:cursors-outlive-a-switch':
    'A cursor stays valid for 15 minutes after a switch, in the generation that issued it.',
  'api:forged-cursors-cost-nothing':
    'A cursor that was not issued is refused, or its page is not cached.',
  'api:errors-are-problems': 'Every error of the read API is a problem document (RFC 9457).',
  'api:unknown-is-null': 'What is not known is `null`, never 0.',
  'api:not-voted-is-known':
    'A validator has "not voted" only where that is known: a silent node never makes a vote missing.',
  'api:events-are-unchanged':
    'Each event has a URL that serves it byte for byte; a list shortens only an event of more than 64 KiB.',
  'api:documents-are-true': 'Every operation answers as `/openapi.json` describes it.',
  'api:clients-can-be-generated':
    'Clients that generators make of `/openapi.json` compile strictly and decode every list and proposal.',
  'api:no-token-needed': 'Every page can be read without a token.',
  'api:any-instance':
    'Any number of instances may run; each accepts the cursors and stream ids of the others.',
  'api:outage-of-the-store':
    'Without its store, the API serves what is cached, and answers 503 within 2 s for the rest.',
  'api:clients-are-isolated':
    'A client with many slow reads or many connections does not make other clients wait.',
  'api:unread-responses-end':
    'A connection ends when the client takes nothing of a response for 30 s.',
  'api:answers-are-bounded':
    'Every answer is bounded, whatever others wrote; what is left out has a URL.',
  'api:memory-is-bounded': 'Invented addresses and header values do not fill the memory.',
  'api:ballot-pages-cost-the-same':
    'A page of ballots without a filter reads no more rows of the store if there are more ballots.',
  'api:chain-texts-stay-text':
    'A text from the chain is never markup, neither in HTML nor in Markdown.',
  'api:silence-is-said':
    'While no new block comes, health, pages and tools say since when, and no page counts down.',
  'api:own-words-first':
    'A title, a description and a preview begin with what Rollcall knows; texts of others follow as quotations.',
  'api:own-files-only': 'An HTML page loads only files of this service.',
  'api:formats-agree': 'A list as CSV or NDJSON has the rows of its JSON page.',
  'api:csv-has-no-formulas':
    'No cell of a CSV is a formula to a spreadsheet, and the original text can be restored.',
  'api:profiles-are-quoted':
    'The profile of a validator is a quotation: never markup, and links to http and https alone, without trust.',
  'api:stream-loses-nothing':
    'The stream reports each change once and in order, also after a reconnect, or it sends `reset`.',
  'api:stream-of-accounts':
    'A stream of accounts has their votes, and each last day without one, once and in order, also when resumed.',
  'api:files-equal-pages':
    'A Parquet file has the rows of one height, and its sums are those of the API.',
  'api:proof-verifies':
    'A proof of a proposal verifies with what the API serves and one trusted header of the chain.',
  'api:mcp-equals-rest':
    'The data of an MCP tool of an operation are the body of the read API: whole, or the first rows of it.',

  'auth:registration-writes-nothing': 'Anonymous registration writes nothing.',
  'auth:one-order':
    'One log decides which claim or ID-JAG came first, for every instance and after every restart.',
  'auth:revocation-is-immediate':
    'A revoked token is refused by the next request here, and within one second elsewhere.',
  'auth:revocation-is-never-refused':
    'No flood from other networks, and no full memory, prevents a revocation.',
  'auth:one-kind-of-token': 'No token is accepted in place of another kind of token.',
  'auth:read-only-tokens':
    'Every token has the one scope `proposals:read`: it cannot vote or move funds.',
  'auth:tokens-are-not-stored':
    'No token is in the log of agents, and none is written to a log line.',
  'auth:keys-are-private':
    'A signing key that other users can read is refused, and no message shows a key.',
  'auth:key-rotation': 'Clients do not notice that the signing key is rotated.',
  'auth:email-is-refused':
    'Registration by verified email is refused, and the answer names anonymous registration.',
  'auth:claim-needs-signature':
    'A claim is completed only by a signature of its own text, and each signature is taken once.',
  'auth:lifetimes-are-configurable':
    'Each configured lifetime of a token or a claim is the one that is issued and enforced.',
  'auth:login-steps-once':
    'A code or a refresh token gives tokens once, on any instance; a second use ends its login.',
  'auth:login-needs-a-person':
    'A login needs the button of its own page in the same browser; no other page can frame or press it.',
  'auth:own-redirects-only':
    "A code goes to a redirect URI of the client's own document or registration, and nowhere else.",
  'auth:claim-ends-earlier-tokens': 'A claim ends the tokens that the agent had before.',

  'infra:append-is-atomic':
    'An append is stored as a whole or not at all, even after a kill or on a full disk.',
  'infra:one-writer':
    'A writer that another one replaced is refused at its next append, and nothing of that append is stored.',
  'infra:no-loop-waits-for-a-lock':
    'A process that is frozen while it appends blocks no event loop of another one, and no read.',
  'infra:logs-are-equal':
    'The embedded log and the log on Kafka hold the same events, byte for byte.',
  'infra:damaged-log-is-refused': 'A damaged log is refused by name and not changed.',
  'infra:one-process-per-data-dir': 'One data directory is used by one supervisor at a time.',
  'infra:leader-is-replaced':
    'Another process leads within 10 s of the death of the leader, and no height is lost or repeated.',
  'infra:children-are-restarted':
    'The supervisor restarts every child process that ends, and the reader serves meanwhile.',
  'infra:endpoints-are-chosen':
    '`rollcall start <chain>` takes endpoints without a problem, of two operators, that agree with most others.',
  'infra:wrong-settings':
    'A start with wrong settings names every one of them at once and changes nothing.',
  'infra:quick-stop': 'Ctrl-C ends every process within 5 s.',
  'infra:export-is-exact': 'An export that is imported gives the same log, byte for byte.',
  'infra:import-is-checked': 'An import that is refused appends nothing.',
  'infra:verify-finds-damage':
    '`rollcall verify` finds a lost, changed or invented event and says where.',
  'infra:tally-can-be-recomputed':
    '`rollcall tally verify` recomputes a tally from the served evidence alone.',
  'infra:proof-needs-no-trust':
    '`rollcall proof verify` and the proposal page accept no status or tally that the chain did not sign.',
  'infra:secrets-are-not-logged':
    'Log lines omit fields that hold passwords or tokens, and name an endpoint by its host alone.',

  'deploy:api-cannot-write': 'The api has no private key and no right to write to the store.',
  'deploy:no-default-secrets': 'No secret has a default, and nothing starts without it.',
  'deploy:brokers-are-isolated': 'Only what uses the log can reach its brokers.',
  'deploy:runbook-is-tested': 'Every command of the runbook is run by a test.',
} as const

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
