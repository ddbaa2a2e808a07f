// The expected results of the MCP conformance suite by revision.

/** Why a scenario cannot pass here. Any other message is a failure of the server. */
export const EXPECTED_FAILURES: readonly RegExp[] = [
  // It calls or lists tools, prompts and resources of the suite itself; the tools here are those of the contract.
  /(?:Tool|Prompt) \S+ not found/,
  /^Failed: (?:Unknown resource|Resource not found)/,
  /^Not testable: server does not list the diagnostic tool 'test_/,
  /^Not testable: server exposes no tool with x-mcp-header annotations/,
  /^Expected InputRequiredResult with inputRequests and requestState$/,
  /^Prerequisite failed: could not get initial InputRequiredResult/,
  // It needs logging, subscriptions or completions, which are not declared, because Rollcall does not use them.
  /(?:-32601|Failed): Method not found$/,
  // It is about the extension for tasks, which is not declared: every answer is ready within seconds.
  /^Not testable: no task was created|^capabilities\.extensions MUST be advertised/,
  /^tasks\/get MUST return -32021; got -32601|^expected -32602; got -32601/,
  /^routing-task fixture|spec requires -32021\.$/,
]

type Expected = {
  passes: readonly string[]
  /** Nothing fails in these, and only the format of the messages passes. */
  undecided: readonly string[]
}

const WITH_BOTH = ['dns-rebinding-protection', 'prompts-list', 'resources-list', 'tools-list']

/** By revision. The suite has requirements for these two. */
export const EXPECTED: Readonly<Record<string, Expected>> = {
  '2025-11-25': {
    passes: [...WITH_BOTH, 'ping', 'server-initialize'],
    // These check sessions and their streams, which Rollcall does not have.
    undecided: ['server-session-lifecycle', 'server-sse-multiple-streams', 'server-sse-polling'],
  },
  '2026-07-28': {
    passes: [
      ...WITH_BOTH,
      'caching',
      'http-header-validation',
      'sep-2164-resource-not-found',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'server-sse-multiple-streams',
    ],
    // These call the suite's own tools, and only warn without them.
    undecided: [
      'input-required-result-ignore-extra-params',
      'tasks-status-notifications',
      'input-required-result-missing-input-response',
    ],
  },
}
