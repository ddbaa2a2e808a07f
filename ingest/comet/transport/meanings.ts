// The meaning of error texts of nodes: CometBFT and Tendermint 0.34 to 1.x, the stores of the SDK, and gateways. Pure.

/**
 * - `not_yet`: the node is healthy and has not reached the height.
 * - `pruned`: the node no longer has the height.
 * - `refused`: the node or its gateway limits requests.
 * - `unsupported`: the node has no such method.
 * - `fault`: any other text.
 */
export type Meaning = 'not_yet' | 'pruned' | 'refused' | 'unsupported' | 'fault'

/** The first match decides: a node that is behind may also report that it fails to load the state. */
const TEXTS: readonly (readonly [Meaning, RegExp])[] = [
  ['not_yet', /less than or equal to the (current blockchain height|head of the node)/i],
  ['not_yet', /could not find (\w+ )?(results|responses) for height/i],
  ['not_yet', /height in the future|is not ready; please wait for first block/i],
  ['pruned', /lowest height is \d+|height is not available|base height: \d+/i],
  ['pruned', /node is not persisting/i],
  ['pruned', /failed to load state at height|version does not exist|(been|is|was|were) pruned/i],
  ['refused', /rate.?limit|too many requests|limit exceeded|quota/i],
  ['unsupported', /unknown (query path|service|method)|method not found|(un|not )implemented/i],
]

/** Numbers in a text decide before its words: `requested` above what the node has is not yet there. */
const LATEST = /(?:latest|blockchain) height:? (\d+)/i

/** `height`: the requested height, if the caller knows it. */
export const findMeaning = (text: string, height = 0): Meaning => {
  const latest = LATEST.exec(text)?.[1]
  if (latest !== undefined && Number(latest) < height) return 'not_yet'
  return TEXTS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'fault'
}

/** Gateways that limit requests answer so; some of them forbid instead, or say that they are busy. */
export const isLimitStatus = (status: number): boolean => [403, 429, 503].includes(status)
