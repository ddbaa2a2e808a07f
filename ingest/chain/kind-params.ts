// The limits that AtomOne adds to the parameters of x/gov for two kinds of proposals.
// Sources: atomone-hub/atomone and atomone-hub/cosmos-sdk, proto/*/gov/v1/{gov,query}.proto and x/gov/keeper/tally.go.
import { InvalidDecimal, normalizeDecimal } from '../contract/decimal.ts'
import type { GovParams } from '../contract/facts.ts'
import { findHighest, type ProposalKind } from '../contract/gov-type.ts'
import { decodeText } from '../schema/text.ts'
import { lastBytes, readFields, type WireField } from '../schema/wire.ts'

/** Null if the chain has no such limit. Throws `InvalidDecimal` for any other text. */
export const toLimit = (text = ''): string | null => {
  if (text === '' || /^\d+(\.\d{1,18})?$/.test(text)) return text || null
  const normalized = normalizeDecimal(text)
  if (normalized === undefined) throw new InvalidDecimal(text)
  return normalized
}

const readLimit = (fields: readonly WireField[], no: number): string | null => {
  const bytes = lastBytes(fields, no)
  return toLimit(bytes && decodeText(bytes))
}

/** The quorums that the chain computes; without them those of the parameters count. */
export type Quorums = { quorum: string | null } & Record<ProposalKind, string | null>

export const readQuorums = (bytes: Uint8Array): Quorums => {
  const fields = readFields(bytes)
  return {
    quorum: readLimit(fields, 1),
    constitutionAmendment: readLimit(fields, 2),
    law: readLimit(fields, 3),
  }
}

type Limits = { quorum: string | null; threshold: string | null }
export type KindParams = Record<ProposalKind, Limits> & {
  /** A law may be endorsed: then it has the threshold of other proposals. */
  hasEndorsements: boolean
}

/** The fields of `Params`, as `cosmos.gov.v1` of AtomOne numbers them. */
const FIELD = {
  constitutionAmendment: { quorum: 17, threshold: 18 },
  law: { quorum: 19, threshold: 20 },
  /** `min_governor_self_delegation`: endorsements came with governors. */
  sinceEndorsements: 31,
} as const

/** Undefined if the chain has no such kinds: other forks may use the numbers for anything. */
export const readKindParams = (response: Uint8Array): KindParams | undefined => {
  const fields = readFields(lastBytes(readFields(response), 4))
  const read = ({ quorum, threshold }: { quorum: number; threshold: number }): Limits => ({
    quorum: readLimit(fields, quorum),
    threshold: readLimit(fields, threshold),
  })
  try {
    const params = {
      constitutionAmendment: read(FIELD.constitutionAmendment),
      law: read(FIELD.law),
      hasEndorsements: lastBytes(fields, FIELD.sinceEndorsements) !== undefined,
    }
    const hasKinds =
      params.constitutionAmendment.threshold !== null && params.law.threshold !== null
    return hasKinds ? params : undefined
  } catch (error) {
    if (error instanceof InvalidDecimal) return undefined
    throw error
  }
}

/** A kind has the higher one of its own limits and those of all proposals. */
export const toKinds = (
  { hasEndorsements, ...kinds }: KindParams,
  params: Limits,
  computed: Quorums | null,
): NonNullable<GovParams['kinds']> => {
  const raise = (kind: ProposalKind): Limits => ({
    quorum: findHighest([params.quorum, computed ? computed[kind] : kinds[kind].quorum]),
    threshold: findHighest([params.threshold, kinds[kind].threshold]),
  })
  const law = raise('law')
  const isSame = !hasEndorsements || law.threshold === params.threshold
  return {
    constitutionAmendment: raise('constitutionAmendment'),
    law: { ...law, threshold: isSame ? law.threshold : null },
  }
}
