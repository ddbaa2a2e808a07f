// Tests of the report of one suite: a suite that fails has at least one failure.
import { describe, expect, it } from 'vitest'
import { readSuiteReport, type SuiteReport } from '../../../support/suite/suite-report.ts'

const PASSED: SuiteReport = { passed: 2, skipped: [], failures: [], fileMs: { 'a.test.ts': 12 } }
const FAILED: SuiteReport = { ...PASSED, failures: [{ name: 'a test', reason: '1 is not 2' }] }
const outside = (reason: string) => [{ name: 'outside of every file', reason }]

describe('the report of a suite', () => {
  it('is as the reporter wrote it', () => {
    expect(readSuiteReport(JSON.stringify(PASSED), undefined)).toEqual(PASSED)
    expect(readSuiteReport(JSON.stringify(FAILED), 'ended with 1')).toEqual(FAILED)
  })

  it('has a failure if the suite failed without a failing test', () => {
    const { failures } = readSuiteReport(JSON.stringify(PASSED), 'ended with 1')
    expect(failures).toEqual(outside('ended with 1'))
  })

  it('has a failure if the suite wrote none', () => {
    expect(readSuiteReport('', 'did not end within 60 s').failures).toEqual(
      outside('did not end within 60 s'),
    )
    expect(readSuiteReport('', undefined).failures).toEqual(outside('wrote no report'))
  })
})
