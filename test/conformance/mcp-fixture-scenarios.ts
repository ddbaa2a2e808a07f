// The expected results of the MCP conformance suite by revision. The listed scenarios need the suite's own fixtures
// or undeclared capabilities. A listed scenario that passes fails the test.

type ExpectedFailure = {
  reason: string
  /** The expected message of the suite: any other message is a failure of the server. */
  message: RegExp
}

const TOOL = (name: string): ExpectedFailure => ({
  reason: `calls the suite's own tool ${name}; the tools here are those of the contract`,
  message: new RegExp(`(?:-32602|Failed|JSON-RPC error): Tool ${name} not found`),
})
const PROMPT = (name: string): ExpectedFailure => ({
  reason: `asks for the suite's own prompt ${name}`,
  message: new RegExp(`(?:-32602|Failed|JSON-RPC error): Prompt ${name} not found`),
})
const RESOURCE = (uri: string): ExpectedFailure => ({
  reason: `reads the suite's own resource ${uri}`,
  message: /^Failed: (?:Unknown resource|Resource not found)/,
})
const CAPABILITY = (name: string): ExpectedFailure => ({
  reason: `needs ${name}, which is not declared, because Rollcall does not use it`,
  message: /(?:-32601|Failed): Method not found$/,
})

const INPUT_REQUIRED = (name: string): ExpectedFailure => TOOL(`test_input_required_result_${name}`)
const TASKS: ExpectedFailure = {
  reason:
    'is about the extension for tasks, which is not declared: every answer is ready within seconds',
  message:
    /Tool \S+ not found|^Not testable: no task was created|^capabilities\.extensions MUST be advertised|^tasks\/get MUST return -32021; got -32601|^expected -32602; got -32601|^routing-task fixture|spec requires -32021\.$/,
}

export const FIXTURE_SCENARIOS: Readonly<Record<string, ExpectedFailure>> = {
  'tools-call-simple-text': TOOL('test_simple_text'),
  'tools-call-image': TOOL('test_image_content'),
  'tools-call-audio': TOOL('test_audio_content'),
  'tools-call-embedded-resource': TOOL('test_embedded_resource'),
  'tools-call-mixed-content': TOOL('test_multiple_content_types'),
  'tools-call-error': TOOL('test_error_handling'),
  'tools-call-with-progress': TOOL('test_tool_with_progress'),
  'tools-call-sampling': TOOL('test_sampling'),
  'tools-call-elicitation': TOOL('test_elicitation'),
  'elicitation-sep1034-defaults': TOOL('test_elicitation_sep1034_defaults'),
  'elicitation-sep1330-enums': TOOL('test_elicitation_sep1330_enums'),
  'json-schema-2020-12': {
    reason: "looks for the suite's own tool json_schema_2020_12_tool",
    message: /Tool 'json_schema_2020_12_tool' not found/,
  },
  'tools-call-with-logging': CAPABILITY('logging'),
  'logging-set-level': CAPABILITY('logging'),
  'resources-subscribe': CAPABILITY(
    'subscriptions: a server without sessions cannot report changes',
  ),
  'resources-unsubscribe': CAPABILITY('subscriptions'),
  'resources-read-text': RESOURCE('test://static-text'),
  'resources-read-binary': RESOURCE('test://static-binary'),
  'resources-templates-read': RESOURCE('test://template/{id}/data'),
  'completion-complete': CAPABILITY('completions'),
  'prompts-get-simple': PROMPT('test_simple_prompt'),
  'prompts-get-with-args': PROMPT('test_prompt_with_arguments'),
  'prompts-get-embedded-resource': PROMPT('test_prompt_with_embedded_resource'),
  'prompts-get-with-image': PROMPT('test_prompt_with_image'),
  'server-stateless': {
    reason: "looks for the suite's own tools in four of its checks",
    message:
      /^Not testable: server does not list the diagnostic tool 'test_(?:streaming_elicitation|missing_capability|logging_tool)'/,
  },
  'http-custom-header-server-validation': {
    reason: 'is about arguments in header fields, which no tool here uses',
    message: /^Not testable: server exposes no tool with x-mcp-header annotations/,
  },
  'input-required-result-basic-elicitation': INPUT_REQUIRED('elicitation'),
  'input-required-result-basic-sampling': INPUT_REQUIRED('sampling'),
  'input-required-result-basic-list-roots': INPUT_REQUIRED('list_roots'),
  'input-required-result-request-state': INPUT_REQUIRED('request_state'),
  'input-required-result-multiple-input-requests': INPUT_REQUIRED('multiple_inputs'),
  'input-required-result-capability-check': INPUT_REQUIRED('capabilities'),
  'input-required-result-result-type': INPUT_REQUIRED('elicitation'),
  'input-required-result-non-tool-request': PROMPT('test_input_required_result_prompt'),
  'input-required-result-multi-round': {
    reason: "calls the suite's own tool test_input_required_result_multi_round",
    message: /^Expected InputRequiredResult with inputRequests and requestState$/,
  },
  'input-required-result-tampered-state': {
    reason: "calls the suite's own tool test_input_required_result_tampered_state",
    message: /^Prerequisite failed: could not get initial InputRequiredResult/,
  },
  'tasks-lifecycle': TASKS,
  'tasks-capability-negotiation': TASKS,
  'tasks-wire-fields': TASKS,
  'tasks-request-state-removal': TASKS,
  'tasks-mrtr-input': TASKS,
  'tasks-request-headers': TASKS,
  'tasks-dispatch-and-envelope': TASKS,
  'tasks-required-task-error': TASKS,
  'tasks-mrtr-composition': TASKS,
}

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
