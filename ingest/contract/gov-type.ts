// Forks of x/gov declare its types in a package of their own, such as `atomone.gov.v1`. The fields have the same numbers.

const UPSTREAM = 'cosmos.gov'

const FORK_TYPE = /^\/(?:[A-Za-z_]\w*\.)*gov\.(v1(?:beta1)?\.\w+)$/

/** `/atomone.gov.v1.MsgVote` → `/cosmos.gov.v1.MsgVote`; any other type is unchanged. */
export const toUpstreamGovType = (typeUrl: string): string =>
  typeUrl.replace(FORK_TYPE, `/${UPSTREAM}.$1`)
