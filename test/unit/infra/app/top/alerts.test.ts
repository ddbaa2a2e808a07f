// Tests of when `rollcall top` shows an alert, and when it shows that the alert is over.
import { describe, expect, it } from 'vitest'
import { conditionsIn, createAlertHistory, LIMITS } from '../../../../../infra/app/top/alerts.ts'
import { readAlerts } from '../../../../support/source/deploy-files.ts'
import { reached, unreachable } from './readings.ts'

const readAlertTexts = (...readings: Parameters<typeof conditionsIn>[0]) =>
  conditionsIn(readings).map(({ level, text }) => `${level} ${text}`)

describe('alerts of rollcall top', () => {
  it('name an unreachable instance and an instance that is not ready, with the reason', () => {
    const down = unreachable('http://127.0.0.1:9091', 'connect ECONNREFUSED')
    const waiting = reached('', { ready: false, reasons: ['writer: no height yet'] })
    expect(readAlertTexts(down, waiting)).toEqual([
      'critical 127.0.0.1:9091: unreachable: connect ECONNREFUSED',
      'critical 127.0.0.1:9090: not ready: writer: no height yet',
    ])
  })

  it('are raised above the limits of the alert rules, and not at the limits', () => {
    const at = 'rollcall_ingest_lag_blocks 50\nrollcall_api_freshness_seconds 10'
    expect(readAlertTexts(reached(at))).toEqual([])
    const above = 'rollcall_ingest_lag_blocks 51\nrollcall_api_freshness_seconds 10.6'
    expect(readAlertTexts(reached(above))).toEqual([
      'warning 127.0.0.1:9090: the log is 51 heights behind the chain',
      'critical 127.0.0.1:9090: responses are 11 s behind',
    ])
  })

  it('have the limits and the levels of the alert rules', () => {
    const rules = readAlerts()
    for (const { metric, above, level } of LIMITS) {
      const rule = rules.find(({ expr }) => new RegExp(`\\b${metric}\\) > ${above}$`).test(expr))
      expect([metric, rule?.labels]).toEqual([metric, { severity: level }])
    }
  })

  it('check the leaders of each service that has one, and ignore a standby', () => {
    const leads = reached('rollcall_ingest_leading 1')
    const standby = reached('rollcall_ingest_leading 0', { reasons: ['on standby'] })
    expect(readAlertTexts(leads, standby)).toEqual([])
    expect(readAlertTexts(standby, standby)).toEqual(['critical no ingest process leads'])
    expect(readAlertTexts(leads, leads)).toEqual(['critical 2 ingest processes lead'])
  })

  it('keep their start time while their numbers change, and then their end time', () => {
    const history = createAlertHistory()
    const lag = (heights: number) => [reached(`rollcall_ingest_lag_blocks ${heights}`)]
    history.update(lag(60), 1_000)
    expect(history.update(lag(61), 2_000)).toEqual([
      {
        level: 'warning',
        text: '127.0.0.1:9090: the log is 61 heights behind the chain',
        sinceMs: 1_000,
      },
    ])
    expect(history.update(lag(0), 3_000)).toMatchObject([{ sinceMs: 1_000, clearedMs: 3_000 }])
    expect(history.update(lag(70), 4_000)).toMatchObject([
      { sinceMs: 4_000 },
      { sinceMs: 1_000, clearedMs: 3_000 },
    ])
  })
})
