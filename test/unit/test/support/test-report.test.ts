// Tests of the sums of a test run: every failure is counted.
import { describe, expect, it } from 'vitest'
import { addCounts, NOTHING, readReport, summaryLine } from '../../../support/suite/test-report.ts'

const report = (...files: [string, ...string[]][]): string =>
  JSON.stringify({
    testResults: files.map(([status, ...tests]) => ({
      status,
      name: 'a file',
      message: status === 'failed' ? 'does not load\nat all' : '',
      assertionResults: tests.map((each) => ({
        status: each,
        fullName: `a test that ${each}`,
        failureMessages: each === 'failed' ? ['Error: 1 is not 2\n    at a line'] : [],
      })),
    })),
  })

describe('the test report', () => {
  it('counts passed, failed and skipped tests over all files', () => {
    const text = report(['passed', 'passed', 'passed'], ['failed', 'failed', 'passed', 'skipped'])
    expect(readReport(text, false)).toEqual({
      counts: { passed: 3, failed: 1, skipped: 1 },
      skipped: ['a test that skipped'],
      failures: ['a test that failed: Error: 1 is not 2'],
      fileMs: {},
    })
  })

  it('has the time of each file', () => {
    const fileMs = { 'test/unit/a.test.ts': 1_200 }
    const text = JSON.stringify({ ...JSON.parse(report(['passed', 'passed'])), fileMs })
    expect(readReport(text, true).fileMs).toEqual(fileMs)
  })

  it('counts a file that could not be loaded as one failure', () => {
    expect(readReport(report(['passed', 'passed'], ['failed']), false).counts).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    })
  })

  it('names a file that could not be loaded, with the reason', () => {
    const { failures } = readReport(report(['failed']), false)
    expect(failures).toEqual(['a file: does not load'])
  })

  it('names the error of a hook in a suite, which is not an error of the file', () => {
    const {
      testResults: [file],
    } = JSON.parse(report(['failed', 'skipped']))
    const hookErrors = { 'a file': ['the chain node made no block'] }
    const text = JSON.stringify({ testResults: [{ ...file, message: '' }], hookErrors })
    expect(readReport(text, false).failures).toEqual(['a file: the chain node made no block'])
  })

  it('counts a run that failed without a failing test as one failure', () => {
    expect(readReport(report(['passed', 'passed']), false).counts.failed).toBe(1)
    expect(readReport('', false).counts).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  it('ends with one line of sums, and names skips only if there are any', () => {
    const sum = addCounts(
      { passed: 2, failed: 0, skipped: 0 },
      { passed: 3, failed: 1, skipped: 0 },
    )
    expect(summaryLine(addCounts(sum, NOTHING))).toBe('5 passed, 1 failed')
    expect(summaryLine({ ...sum, skipped: 4 })).toBe('5 passed, 1 failed, 4 skipped')
  })
})
