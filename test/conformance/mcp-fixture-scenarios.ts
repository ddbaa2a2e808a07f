// The scenarios of the conformance suite that a server can only pass with the suite's own fixtures, or with capabilities that
// this one does not declare. One that passes is to be taken off the list: the test says so.

type Reason = {
  why: string
  /** What the suite says of it: anything else is a failure of ours. */
  says: RegExp
}

const TOOL = (name: string): Reason => ({
  why: `calls the suite's own tool ${name}; the tools here are those of the contract`,
  says: new RegExp(`-32602: Unknown tool "${name}"`),
})
const PROMPT = (name: string): Reason => ({
  why: `asks for the suite's own prompt ${name}`,
  says: /-32602: (?:Unknown|There is no such) prompt; there are how_did_pool_vote/,
})
const RESOURCE = (uri: string): Reason => ({
  why: `reads the suite's own resource ${uri}`,
  says: /-32002: There is no such resource/,
})
const CAPABILITY = (name: string): Reason => ({
  why: `needs ${name}, which is not declared: nothing here would make use of it`,
  says: /-32601: There is no such method/,
})

export const FIXTURE_SCENARIOS: Readonly<Record<string, Reason>> = {
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
    why: "looks for the suite's own tool json_schema_2020_12_tool",
    says: /Tool 'json_schema_2020_12_tool' not found/,
  },
  'tools-call-with-logging': CAPABILITY('logging'),
  'logging-set-level': CAPABILITY('logging'),
  'resources-subscribe': CAPABILITY(
    'subscriptions: a server without sessions cannot tell of changes',
  ),
  'resources-unsubscribe': CAPABILITY('subscriptions'),
  'resources-read-text': RESOURCE('test://static-text'),
  'resources-read-binary': RESOURCE('test://static-binary'),
  'resources-templates-read': RESOURCE('test://template/{id}/data'),
  'completion-complete': PROMPT('test_prompt_with_arguments'),
  'prompts-get-simple': PROMPT('test_simple_prompt'),
  'prompts-get-with-args': PROMPT('test_prompt_with_arguments'),
  'prompts-get-embedded-resource': PROMPT('test_prompt_with_embedded_resource'),
  'prompts-get-with-image': PROMPT('test_prompt_with_image'),
}

/** Nothing fails in these and nothing passes: they look at streams of a session, and here there is neither. */
export const STREAM_SCENARIOS = ['server-sse-polling', 'server-sse-multiple-streams']
