// Tests the sentences about an endpoint: from its facts to what Rollcall can and cannot serve.
import { describe, expect, it } from 'vitest'
import { factFindings } from '../../../../../../infra/app/doctor/endpoint/fact-findings.ts'
import type { EndpointFacts } from '../../../../../../infra/app/doctor/endpoint/facts.ts'
import { serviceFindings } from '../../../../../../infra/app/doctor/endpoint/service-findings.ts'
import { findingsText, hasProblem } from '../../../../../../infra/app/doctor/finding.ts'
import { known, unavailable } from '../../../../../../ingest/chain/answer.ts'

const TIP = 31_000_123

/** A public endpoint that keeps 100 states. */
const PRUNED: EndpointFacts = {
  chainId: 'cosmoshub-4',
  nodeVersion: '0.38.21',
  app: known({ name: 'gaia', version: 'v25.1.0', sdkVersion: 'v0.53.4' }),
  tip: TIP,
  isCatchingUp: false,
  blockSeconds: known(6),
  earliest: {
    block: TIP - 362_879,
    results: known(TIP - 362_879),
    state: known(TIP - 99),
  },
  hasTxIndex: true,
  websocket: known(true),
  isCompressed: known(true),
  verifiedBy: known(180),
  gov: known({ package: 'cosmos.gov', openVotes: 3 }),
  clock: { differenceSeconds: 0.2, latestBlockAgeSeconds: 3 },
  refusals: 0,
  pace: { perSecond: 27, requests: 48, seconds: 3, medianMs: 35 },
}

const ARCHIVE: EndpointFacts = {
  ...PRUNED,
  earliest: { block: 1, results: known(1), state: known(1) },
}

const findings = (facts: Partial<EndpointFacts> = {}, base = PRUNED) => {
  const whole = { ...base, ...facts }
  return [...factFindings(whole), ...serviceFindings(whole)]
}
const describeFacts = (...facts: Parameters<typeof findings>) => findingsText(findings(...facts))

describe('an endpoint that keeps 100 states', () => {
  it('has what it keeps, in heights and time', () => {
    const text = describeFacts()
    expect(text).toMatch(/^chain +ok +cosmoshub-4 at height 31000123, a block every 6\.0 s$/m)
    expect(text).toMatch(/^node +ok +CometBFT 0\.38\.21, gaia v25\.1\.0, Cosmos SDK v0\.53\.4$/m)
    expect(text).toMatch(/^blocks +ok +from height 30637244 on: 362,880 heights, about 25 days$/m)
    expect(text).toMatch(/^state +ok +from height 31000024 on: 100 heights, about 10 min$/m)
    expect(text).toMatch(/^pace +ok +no refusal at up to 27 requests\/s \(48 requests in 3\.0 s/m)
    expect(text).toMatch(/^headers +ok +verified at height 31000122 .* 180 validators \(Ed25519\)/m)
    expect(text).toMatch(/^x\/gov +ok +cosmos\.gov; 3 votes are open$/m)
  })

  it('serves open votes, new votes within the window, and of closed votes only those of the window', () => {
    const text = describeFacts()
    expect(text).toMatch(/^open votes +ok +complete tallies/m)
    expect(text).toMatch(
      /^new votes +warning .* never more than 100 heights, about 10 min behind\n +→ add an endpoint/m,
    )
    expect(text).toMatch(
      /^closed votes +warning .* last 99 heights, about 10 min: .*START_HEIGHT=31000025\); earlier ones: only with the final tally/m,
    )
    expect(text).toMatch(/^backfill +ok .* at least 28,800 requests: 18 min at the pace found$/m)
    expect(text).toMatch(/^proofs +ok +VERIFY_HEADERS=true is possible/m)
    expect(hasProblem(findings())).toBe(false)
  })
})

describe('an archive', () => {
  it('serves every vote with its ballots', () => {
    const text = describeFacts({}, ARCHIVE)
    expect(text).toMatch(
      /^closed votes +ok +all of them with every ballot: START_HEIGHT=earliest$/m,
    )
    expect(text).toMatch(/^new votes +ok +complete from the start on/m)
    expect(text).toMatch(/0 problems, 0 warnings, 0 not checked$/)
  })

  it('without the first blocks of its chain names the lowest start', () => {
    const earliest = { block: 5_200_791, results: known(5_200_791), state: known(5_200_791) }
    expect(describeFacts({ earliest })).toMatch(
      /^closed votes +warning +those of the last [\d,]+ heights, about [\d,]+ days: .*START_HEIGHT=5200792/m,
    )
  })
})

describe('an endpoint that lacks something', () => {
  it('serves no votes without the results of blocks', () => {
    const earliest = { ...PRUNED.earliest, results: unavailable('it has none of height 9') }
    const text = describeFacts({ earliest })
    expect(text).toMatch(/^results +problem +not readable: it has none of height 9/m)
    expect(text).toMatch(/^new votes +problem .*events.*\n +→ .*discard_abci_responses = false/m)
    expect(text).toMatch(/^closed votes +warning +only with the final tally/m)
  })

  it('serves no tallies without state', () => {
    const earliest = { ...PRUNED.earliest, state: unavailable('unknown query path') }
    const text = describeFacts({ earliest })
    expect(text).toMatch(/^open votes +problem +no tallies/m)
    expect(text).toMatch(/^new votes +problem +without power/m)
  })

  it('serves nothing of a chain without x/gov, and says only that', () => {
    const text = describeFacts({ gov: known(null) })
    expect(text).toMatch(/^x\/gov +problem +This chain has no x\/gov: .*\n +→ Follow/m)
    expect(text).not.toMatch(/^(open|new|closed) votes/m)
  })

  it('has no proofs if its headers are not verifiable', () => {
    const verifiedBy = unavailable(
      'header.validators[0].pub_key.type is tendermint/PubKeySecp256k1',
    )
    const text = describeFacts({ verifiedBy })
    expect(text).toMatch(/^headers +warning +not verifiable: .*Secp256k1\n +→ do not set VERIFY_H/m)
    expect(text).toMatch(/^proofs +warning +none/m)
  })

  it('is polled without a websocket, and says which versions and lists it does not report', () => {
    const text = describeFacts({
      websocket: unavailable('HTTP status 404'),
      app: unavailable('unknown query path'),
      hasTxIndex: undefined,
      isCompressed: known(false),
      gov: known({ package: 'atomone.gov', openVotes: null }),
      blockSeconds: unavailable('there are too few blocks'),
    })
    expect(text).toMatch(
      /^websocket +ok +not available \(HTTP status 404\): new heights are polled/m,
    )
    expect(text).toMatch(/^node +ok .*does not report the version of its SDK/m)
    expect(text).toMatch(/^tx index +not checked/m)
    expect(text).toMatch(/^gzip +ok +not offered/m)
    expect(text).toMatch(/^x\/gov +ok +atomone\.gov; the list of proposals is not readable/m)
    expect(text).toMatch(/^backfill +not checked +the pace is unknown/m)
  })
})

describe('the pace', () => {
  const stopped = { reason: 'HTTP status 429', isRefusal: true, retryAfterSeconds: 1 }

  it('is a warning if it is low, and says what the endpoint wants', () => {
    const text = describeFacts({ pace: { ...PRUNED.pace, perSecond: 5, stopped }, refusals: 2 })
    expect(text).toMatch(
      /^pace +warning +refuses \(HTTP status 429\) after 5 requests\/s, and wants a pause of 1 s \(Retry-After\); 2 earlier requests were refused\n +→ add a second endpoint/m,
    )
    expect(text).toMatch(/^backfill +ok .* 28,800 requests: 1\.6 h at the pace found$/m)
  })

  it('is enough at 20 requests per second, and a failure is never enough', () => {
    const fast = { ...PRUNED.pace, perSecond: 20 }
    expect(describeFacts({ pace: { ...fast, stopped } })).toMatch(/^pace +ok +refuses/m)
    const broken = { reason: 'socket hang up', isRefusal: false }
    expect(describeFacts({ pace: { ...fast, stopped: broken } })).toMatch(
      /^pace +warning +fails \(socket hang up\)/m,
    )
  })
})

describe('the clock', () => {
  it.each([
    [{ differenceSeconds: 0.2, latestBlockAgeSeconds: 3 }, /ok +the same .* 3 s old/],
    [
      { differenceSeconds: 30, latestBlockAgeSeconds: -27 },
      /warning +this machine is 30 s behind the endpoint; .* 27 s in the future\n +→ synchronize/,
    ],
    [
      { differenceSeconds: -30, latestBlockAgeSeconds: 33 },
      /warning +this machine is 30 s ahead of/,
    ],
    [
      { differenceSeconds: 0, latestBlockAgeSeconds: 7200 },
      /warning .* 2\.0 h old\n +→ the chain has halted/,
    ],
    [{ differenceSeconds: undefined, latestBlockAgeSeconds: undefined }, /warning .*no valid time/],
  ])('%j', (clock, expected) => {
    expect(describeFacts({ clock })).toMatch(new RegExp(`^clock +${expected.source}`, 'm'))
  })

  it('of the demo chain is not compared with its recorded times', () => {
    const clock = { differenceSeconds: 0, latestBlockAgeSeconds: 9e6 }
    expect(describeFacts({ chainId: 'rollcall-demo-1', clock })).toMatch(/^clock +ok .*recorded/m)
  })

  it('and a node that is catching up are warnings', () => {
    expect(describeFacts({ isCatchingUp: true })).toMatch(/^chain +warning .*\n +→ wait for it/m)
  })
})
