// The stored form of a proposal: its key, and the members of the stored bytes that have its outcome.
import { BinaryReader } from 'cosmjs-types/binary'
import { ProofError } from './proof-error.ts'

export const GOV_STORE = 'gov'

/** 0x00 and the ID in eight bytes, big-endian. */
export const proposalKey = (id: bigint): Uint8Array => {
  const key = new Uint8Array(9)
  new DataView(key.buffer).setBigUint64(1, id)
  return key
}

/** In the order of the enumeration of the SDK, which is the same in all versions. */
const STATUSES = [
  'unspecified',
  'deposit_period',
  'voting_period',
  'passed',
  'rejected',
  'failed',
] as const

export type ProvedProposal = {
  id: string
  status: (typeof STATUSES)[number]
  /** Whole base units of the chain. Null while there is no tally. */
  tally: { yes: string; abstain: string; no: string; noWithVeto: string } | null
}

const AMOUNT = /^[0-9]{1,78}$/

const readTally = (reader: BinaryReader): NonNullable<ProvedProposal['tally']> => {
  const counts = ['0', '0', '0', '0']
  const end = reader.uint32() + reader.pos
  while (reader.pos < end) {
    const [field, type] = reader.tag()
    if (field < 1 || field > counts.length) {
      reader.skipType(type)
      continue
    }
    const amount = reader.string()
    if (!AMOUNT.test(amount)) throw new RangeError('no amount')
    counts[field - 1] = amount
  }
  const [yes = '0', abstain = '0', no = '0', noWithVeto = '0'] = counts
  return { yes, abstain, no, noWithVeto }
}

/** gov `v1` and `v1beta1` have the same numbers for these members: 1 ID, 3 status, 4 final tally. */
export const decodeProposal = (value: Uint8Array): ProvedProposal => {
  try {
    const reader = new BinaryReader(value)
    const found: ProvedProposal = { id: '0', status: 'unspecified', tally: null }
    while (reader.pos < value.length) {
      const [field, type] = reader.tag()
      if (field === 1) found.id = reader.uint64().toString()
      else if (field === 3) found.status = STATUSES[reader.uint32()] ?? 'unspecified'
      else if (field === 4) found.tally = readTally(reader)
      else reader.skipType(type)
    }
    return found
  } catch {
    throw new ProofError('malformed', 'value is not a stored proposal.')
  }
}
