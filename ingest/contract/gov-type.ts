// Forks of x/gov declare its types in a package of their own, such as `atomone.gov.v1`. The fields have the same numbers.

import type { ProposalState } from './facts.ts'

/** Proposals with these messages have a quorum and a threshold of their own, which AtomOne adds to x/gov. */
const OWN_LIMITS =
  /^\/(?:[A-Za-z_]\w*\.)*gov\.v1\.(?:MsgProposeLaw|MsgProposeConstitutionAmendment)$/

/** Whether the limits of x/gov's parameters are not those of a proposal with these messages. */
export const hasOwnLimits = ({
  messageTypes,
  furtherMessageTypes = [],
}: Pick<ProposalState, 'messageTypes' | 'furtherMessageTypes'>): boolean =>
  [...messageTypes, ...furtherMessageTypes].some((type) => OWN_LIMITS.test(type))

const UPSTREAM = 'cosmos.gov'

const FORK_TYPE = /^\/(?:[A-Za-z_]\w*\.)*gov\.(v1(?:beta1)?\.\w+)$/

/** `/atomone.gov.v1.MsgVote` → `/cosmos.gov.v1.MsgVote`; any other type is unchanged. */
export const toUpstreamGovType = (typeUrl: string): string =>
  typeUrl.replace(FORK_TYPE, `/${UPSTREAM}.$1`)
