// Finds the package of x/gov. Forks serve the same queries in a package of their own, such as `atomone.gov.v1`. Fields of a fork that
// have another meaning than the same numbers of `cosmos.gov.v1` are removed or renumbered.
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { AbciAnswer, AbciOptions, AbciRequest, ChainNode } from '../comet/endpoints/node.ts'
import { isUnknownQuery } from '../comet/transport/abci-answer.ts'
import { FILES_PATH } from '../schema/schema-source.ts'
import { readFields, type WireField } from '../schema/wire.ts'

/** The field of the response that has the message, and what is known of its fields. */
type Layout = {
  field: number
  /** From here on, a package in `OWN_FIELDS` has fields of its own. */
  ownFrom: number
  /** They have numbers lower by so much than in the `cosmos.gov` of AtomOne. Absent: they are removed. */
  ownShift?: number
  /** As upstream declares them: another wire type is another field. */
  upstream: Readonly<Record<number, WireType>>
}

const PROPOSAL: Layout = {
  field: 1,
  ownFrom: 14,
  // `expedited` and `failed_reason`.
  upstream: { 14: WireType.Varint, 15: WireType.LengthDelimited },
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  Proposal: PROPOSAL,
  Proposals: PROPOSAL,
  // `burn_vote_quorum`, `burn_proposal_deposit_prevote`, `burn_vote_veto`.
  Params: {
    field: 4,
    ownFrom: 15,
    ownShift: 1,
    upstream: { 13: WireType.Varint, 14: WireType.Varint, 15: WireType.Varint },
  },
}

/** AtomOne before version 4: `endorsed`, `annotation` and `min_deposit_ratio` have numbers of upstream fields. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['atomone.gov'])

const join = (fields: readonly WireField[]): Uint8Array =>
  Buffer.concat(fields.map(({ raw }) => raw))

/** Only texts and messages: no other field of a fork is read. */
const renumber = ({ no, value }: WireField, shift: number): WireField[] => {
  if (!(value instanceof Uint8Array)) return []
  const wireType = WireType.LengthDelimited
  const writer = new BinaryWriter().uint32(((no + shift) << 3) | wireType).bytes(value)
  return [{ no: no + shift, wireType, value, raw: writer.finish() }]
}

/** `name` is the package, such as `atomone.gov`. Throws if the bytes are not protobuf. */
export const toUpstreamLayout = (
  bytes: Uint8Array,
  { name, method }: { name: string; method: string },
): Uint8Array => {
  const layout = LAYOUTS[method]
  if (!layout) return bytes
  const { ownFrom, ownShift, upstream } = layout
  const adopt = (field: WireField): WireField[] => {
    const { no, wireType } = field
    if (OWN_FIELDS.has(name) && no >= ownFrom) return ownShift ? renumber(field, ownShift) : []
    return (upstream[no] ?? wireType) === wireType ? [field] : []
  }
  const writer = new BinaryWriter()
  for (const { no, raw, value } of readFields(bytes)) {
    if (no !== layout.field || !(value instanceof Uint8Array)) writer.raw(raw)
    else {
      writer.uint32((no << 3) | WireType.LengthDelimited)
      writer.bytes(join(readFields(value).flatMap(adopt)))
    }
  }
  return writer.finish()
}

type Node = Pick<ChainNode, 'abciQuery'>

const UPSTREAM = 'cosmos.gov'
/** Asked if a node reports no types. */
const KNOWN_FORKS: readonly string[] = ['atomone.gov', 'govgen.gov', 'initia.gov', 'shentu.gov']

const GOV_QUERY = /^\/cosmos\.gov\.(v1|v1beta1)\.Query\/(\w+)$/
/** The vote message of x/gov in a list of types, or in protobuf files. */
const VOTE_TYPE = /[./]((?:[A-Za-z_]\w*\.)*gov)\.v1(?:beta1)?\.MsgVote(?!\w)/g
const MAX_PACKAGES = 16

/** Every node of SDK 0.40 and later lists the messages of its chain. */
const TYPES_PATH = '/cosmos.base.reflection.v1beta1.ReflectionService/ListImplementations'
const MESSAGES = new BinaryWriter().uint32(10).string('cosmos.base.v1beta1.Msg').finish()

/** An upgrade may change the packages. */
const REPEAT_MS = 10 * 60_000
const LATEST_HEIGHT = 0

/** Changes `answer`: the pool knows its endpoint by the same object. Bytes that are not protobuf stay as they are. */
const adoptLayout = (answer: AbciAnswer, of: { name: string; method: string }): void => {
  if (answer.kind !== 'value') return
  try {
    answer.value = toUpstreamLayout(answer.value, of)
  } catch {
    // The reader of the response reports them.
  }
}

const readPackages = (answer: AbciAnswer): string[] => {
  if (answer.kind !== 'value') return []
  const text = Buffer.from(answer.value).toString('latin1')
  const names = new Set([...text.matchAll(VOTE_TYPE)].flatMap(([, name]) => name ?? []))
  return [...names].slice(0, MAX_PACKAGES)
}

/** Those of the messages and files that the chain reports; empty if it reports none. */
const readReported = async (node: Node): Promise<readonly string[]> => {
  for (const [path, data] of [
    [TYPES_PATH, MESSAGES],
    [FILES_PATH, new Uint8Array()],
  ] as const) {
    const names = readPackages(await node.abciQuery({ path, data, height: LATEST_HEIGHT }))
    if (names.length > 0) return names
  }
  return []
}

const findPackages = async (node: Node): Promise<readonly string[]> => {
  const reported = await readReported(node)
  return reported.length > 0 ? reported : KNOWN_FORKS
}

/** Whether the chain reports messages of x/gov in a package other than that of the SDK. */
export const reportsFork = async (node: Node): Promise<boolean> =>
  (await readReported(node)).some((name) => name !== UPSTREAM)

/**
 * Sends queries of `cosmos.gov` to the package that the node has. The package that last responded is asked
 * first, then `cosmos.gov`, then those that the chain reports.
 */
export const withGovPackage = <Chain extends Node>(
  node: Chain,
  { clock, logger }: { clock: Clock; logger: Logger },
): Chain & { govPackage(): string } => {
  let preferred = UPSTREAM
  let found: { names: Promise<readonly string[]>; atMs: number } | undefined
  /** When a node did not know a query. */
  const unknownSince = new Map<string, number>()
  const isRecent = (atMs: number | undefined) =>
    atMs !== undefined && clock.now() - atMs < REPEAT_MS
  const listPackages = (): Promise<readonly string[]> => {
    if (found && isRecent(found.atMs)) return found.names
    const names = findPackages(node)
    const search = { names, atMs: clock.now() }
    found = search
    names.catch(() => {
      if (found === search) found = undefined
    })
    return names
  }
  const prefer = (name: string) => {
    if (name === preferred) return
    preferred = name
    logger.info({ package: name }, 'found the package of x/gov')
  }
  async function* listCandidates(): AsyncGenerator<string> {
    yield preferred
    yield UPSTREAM
    yield* await listPackages()
  }
  const askPackages = async (
    request: AbciRequest,
    options: AbciOptions | undefined,
    [, version = '', method = '']: readonly string[],
  ): Promise<AbciAnswer> => {
    let unknown: AbciAnswer | undefined
    for await (const name of listCandidates()) {
      const path = `/${name}.${version}.Query/${method}`
      if (unknown && isRecent(unknownSince.get(path))) continue
      const answer = await node.abciQuery({ ...request, path }, options)
      if (!isUnknownQuery(answer)) {
        prefer(name)
        if (name !== UPSTREAM && version === 'v1') adoptLayout(answer, { name, method })
        return answer
      }
      unknownSince.set(path, clock.now())
      unknown ??= answer
    }
    return unknown!
  }
  return {
    ...node,
    /** The package that last responded. */
    govPackage: () => preferred,
    abciQuery: (request, options) => {
      const match = GOV_QUERY.exec(request.path)
      return match ? askPackages(request, options, match) : node.abciQuery(request, options)
    },
  }
}
