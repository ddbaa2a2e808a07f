// Chooses the endpoints of a chain from the public ones: each is diagnosed as by `rollcall doctor --endpoint`, and of those without a
// problem two of different operators are taken.
import { type Clock, systemClock } from '../../base/runtime/clock.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { withDeadline } from '../../base/runtime/retry.ts'
import type { Diagnosis } from '../doctor/endpoint.ts'
import type { IndexedBlock } from '../indexed-block.ts'

export type Offer = { address: string; provider?: string }

export type Chosen = { rpc: Offer[]; archive: Offer | undefined; usable: number }

export type ChooseOptions = {
  chainId: string
  /** The last block in the log. */
  indexed: IndexedBlock | undefined
  signal: AbortSignal
  clock?: Clock | undefined
  onChecked?: (done: number) => void
  onRefused?: (host: string, reason: string) => void
}

/** A slower endpoint is not usable. */
const DIAGNOSIS_MS = 45_000

/** Large, and not needed with endpoints of the operator. */
const loadDiagnosis = () => import('../doctor/endpoint.ts')

type Checked = { offer: Offer; diagnosis: Diagnosis; tookMs: number }
type Usable = Checked & { facts: NonNullable<Diagnosis['facts']> }

const hostOf = ({ address }: Offer): string => new URL(address).host

/** Two hosts of one operator may have the same fault. */
export function operatorOf(offer: Offer): string {
  return offer.provider ?? hostOf(offer).split('.').slice(-2).join('.')
}

const check = async (
  offer: Offer,
  { chainId, indexed, signal, clock = systemClock }: ChooseOptions,
  searches: boolean,
): Promise<Checked> => {
  const { diagnoseEndpoint } = await loadDiagnosis()
  const startedMs = performance.now()
  const expected = { chainId, indexed }
  const run = (own: AbortSignal) =>
    diagnoseEndpoint({ address: offer.address, expected, searches, signal: own, clock })
  const diagnosis = await withDeadline(DIAGNOSIS_MS, signal, run).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof AppError)) throw error
    const message = `${hostOf(offer)}: ${error.message}`
    return { findings: [{ level: 'problem' as const, message }] }
  })
  return { offer, diagnosis, tookMs: performance.now() - startedMs }
}

const findProblem = ({ diagnosis }: Checked): string | undefined =>
  diagnosis.findings.find(({ level }) => level === 'problem')?.message

const warnings = ({ diagnosis }: Checked): number =>
  diagnosis.findings.filter(({ level }) => level === 'warning').length

/** The most complete first, then the fastest. */
const byQuality = (one: Checked, other: Checked): number =>
  warnings(one) - warnings(other) || one.tookMs - other.tookMs

/** Those that have one block in common; one that has another block there, or none, is not usable. */
const withoutLiars = async (usable: readonly Usable[], options: ChooseOptions) => {
  const { readBlockHash } = await loadDiagnosis()
  const tips = usable.map(({ facts }) => facts.tip).toSorted((one, other) => one - other)
  // A false tip of a minority does not decide the height; the last blocks may not have reached every node.
  const height = Math.max(1, (tips[Math.floor((tips.length - 1) / 2)] ?? 1) - 3)
  const groups = new Map<string, Usable[]>()
  const readAll = usable.map(async (each) => {
    const { address } = each.offer
    const hash = await readBlockHash({ address, signal: options.signal }, height)
    if (hash === undefined) return options.onRefused?.(hostOf(each.offer), `has no block ${height}`)
    groups.set(hash, [...(groups.get(hash) ?? []), each])
  })
  await Promise.all(readAll)
  const operators = (group: readonly Usable[]) =>
    new Set(group.map(({ offer }) => operatorOf(offer))).size
  const [most = [], ...others] = [...groups.values()].toSorted(
    (a, b) => operators(b) - operators(a),
  )
  if (others[0] && operators(others[0]) === operators(most)) {
    const sides = [most, ...others].map((side) => side.map(({ offer }) => hostOf(offer)).join(', '))
    const message = `the endpoints of ${options.chainId} have different blocks at height ${height}: ${sides.join(' against ')}. Choose among them with CHAIN_RPC_URLS`
    throw new AppError('RPC_DISAGREEMENT', message, { expose: true })
  }
  for (const { offer } of others.flat()) {
    options.onRefused?.(hostOf(offer), `has another block at height ${height} than most endpoints`)
  }
  return most
}

const earliestState = ({ facts: { earliestState: state } }: Usable): number =>
  'value' in state ? state.value : Number.POSITIVE_INFINITY

/** Undefined if no endpoint is usable. Throws `RPC_DISAGREEMENT` if no block has a majority. */
export async function chooseEndpoints(
  offers: readonly Offer[],
  options: ChooseOptions,
): Promise<Chosen | undefined> {
  let done = 0
  const checked = await Promise.all(
    offers.map(async (offer) => {
      const result = await check(offer, options, true)
      options.onChecked?.(++done)
      const reason = findProblem(result)
      if (reason !== undefined) options.onRefused?.(hostOf(offer), reason)
      return result
    }),
  )
  const usable = checked.flatMap((each) => {
    const { facts } = each.diagnosis
    return facts && findProblem(each) === undefined ? [{ ...each, facts }] : []
  })
  if (usable.length === 0) return undefined
  const honest = (await withoutLiars(usable, options)).toSorted(byQuality)
  const [first] = honest
  if (!first) return undefined
  const isOther = ({ offer }: Usable) =>
    operatorOf(offer) !== operatorOf(first.offer) && hostOf(offer) !== hostOf(first.offer)
  const rpc = [first, ...honest.filter(isOther).slice(0, 1)]
  const [deepest = first] = honest.toSorted((a, b) => earliestState(a) - earliestState(b))
  const hasOlder = rpc.every((each) => earliestState(deepest) < earliestState(each))
  return {
    rpc: rpc.map(({ offer }) => offer),
    archive: hasOlder ? deepest.offer : undefined,
    usable: honest.length,
  }
}

/** Whether each chosen endpoint still has what the log needs next: the diagnosis without its searches. */
export async function areUsable(
  offers: readonly Offer[],
  options: ChooseOptions,
): Promise<boolean> {
  const isFit = async (offer: Offer) => {
    const { diagnosis } = await check(offer, options, false)
    const misfit = diagnosis.findings.find(
      ({ level, area }) => level === 'problem' || (level === 'warning' && area === 'address'),
    )
    if (misfit) options.onRefused?.(hostOf(offer), misfit.message)
    return misfit === undefined
  }
  return (await Promise.all(offers.map(isFit))).every(Boolean)
}
