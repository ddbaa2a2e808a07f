// Finds the path that a request for an unknown path probably meant: another number, version, case or prefix of a known one. Pure.

/** True if a path matches a route of this service. */
export type IsKnown = (path: string) => boolean

/** Longer paths are no mistakes of a person. */
const MAX_PATH_LENGTH = 300

const PLURALS: Readonly<Record<string, string>> = {
  proposal: 'proposals',
  vote: 'votes',
  deposit: 'deposits',
  ballot: 'ballots',
  event: 'events',
  message: 'messages',
  proofs: 'proof',
  pool: 'pools',
  validator: 'pools',
  validators: 'pools',
  voter: 'voters',
  account: 'voters',
  accounts: 'voters',
}

/** Versions, and the names of modules in the REST API of a node: `/cosmos/gov/v1/proposals`. */
const ADDED = /^(?:v[0-9]+(?:(?:alpha|beta)[0-9]+)?|rest|cosmos|gov|staking)$/

const correct = (segments: readonly string[]): string[] =>
  segments
    .map((segment) => segment.toLowerCase())
    .filter((segment) => !ADDED.test(segment))
    .map((segment) => (Object.hasOwn(PLURALS, segment) ? (PLURALS[segment] ?? '') : segment))

const toPath = (segments: readonly string[]): string =>
  `/${segments.map(encodeURIComponent).join('/')}`

/** `path` is decoded. A page is suggested before the API, unless `path` names the API. */
export const suggestPath = (path: string, isKnown: IsKnown): string | undefined => {
  if (path.length > MAX_PATH_LENGTH) return undefined
  const corrected = correct(path.split('/').filter((segment) => segment !== ''))
  const [first, ...others] = corrected
  const rest = first === 'api' ? others : corrected
  if (rest.length === 0) return undefined
  const inApi = ['api', ...rest]
  const candidates = [
    ...(first === 'api' ? [] : [rest]),
    inApi,
    // Pools and voters have one list each.
    [...inApi, 'votes'],
    ...(first === 'api' ? [rest] : []),
  ]
  return candidates.map(toPath).find((candidate) => candidate !== path && isKnown(candidate))
}
