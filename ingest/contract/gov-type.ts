// Forks of x/gov declare its types in a package of their own, such as `atomone.gov.v1`. The fields have the same numbers.

import { parseDecimal } from './decimal.ts'
import type { GovParams, ProposalState } from './facts.ts'

/** A kind of proposals with a quorum and a threshold of their own, which AtomOne adds to x/gov. */
export type ProposalKind = keyof NonNullable<GovParams['kinds']>

const KIND_OF_MESSAGE: ReadonlyMap<string, ProposalKind> = new Map([
  ['MsgProposeConstitutionAmendment', 'constitutionAmendment'],
  ['MsgProposeLaw', 'law'],
])

const GOV_MESSAGE = /^\/(?:[A-Za-z_]\w*\.)*gov\.v1\.(\w+)$/

const toKind = (messageType: string): ProposalKind | undefined =>
  KIND_OF_MESSAGE.get(GOV_MESSAGE.exec(messageType)?.[1] ?? '')

/** The kinds of a proposal with these messages; empty if the limits of x/gov are its own. */
export const listKinds = ({
  messageTypes,
  furtherMessageTypes = [],
}: Pick<ProposalState, 'messageTypes' | 'furtherMessageTypes'>): ProposalKind[] => [
  ...new Set(
    [...messageTypes, ...furtherMessageTypes].map(toKind).filter((kind) => kind !== undefined),
  ),
]

/** Null if any is null. */
export const findHighest = (limits: readonly (string | null)[]): string | null =>
  limits.reduce((highest, limit) =>
    highest === null || limit === null || parseDecimal(limit) <= parseDecimal(highest)
      ? limit && highest
      : limit,
  )

/** The parameters for a proposal of these kinds: the highest limits of its kinds, null if they are unknown. */
export const toKindLimits = (kinds: readonly ProposalKind[], params: GovParams): GovParams => {
  if (kinds.length === 0) return params
  const limits = kinds.map((kind) => params.kinds?.[kind])
  return {
    ...params,
    quorum: findHighest(limits.map((limit) => limit?.quorum ?? null)),
    threshold: findHighest(limits.map((limit) => limit?.threshold ?? null)),
    // Without any limits it is not known whether the chain has a veto.
    vetoThreshold: params.kinds ? params.vetoThreshold : null,
  }
}

const UPSTREAM = 'cosmos.gov'

const FORK_TYPE = /^\/(?:[A-Za-z_]\w*\.)*gov\.(v1(?:beta1)?\.\w+)$/

/** `/atomone.gov.v1.MsgVote` → `/cosmos.gov.v1.MsgVote`; any other type is unchanged. */
export const toUpstreamGovType = (typeUrl: string): string =>
  typeUrl.replace(FORK_TYPE, `/${UPSTREAM}.$1`)
