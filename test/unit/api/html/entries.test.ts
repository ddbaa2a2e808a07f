// The entries of a list of proposals: the time of each phase.
import { describe, expect, it } from 'vitest'
import { entries } from '../../../../api/html/entries.ts'
import { markupOf } from '../../../../infra/base/html/html.ts'
import { listData } from '../../../support/api/html-data.ts'

const [item] = listData('text').items

describe('an entry of the list of proposals', () => {
  it('has the end of the vote if the time of the close is not known', () => {
    expect(item).toBeDefined()
    const times = { closedTime: null, votingEndTime: '2026-11-20T08:00:00.000Z' }
    const old = { ...item!, ...times, status: 'passed' as const }
    const at = { baseUrl: '', params: {} }
    const shown = markupOf(entries([old], { at, now: '2026-11-23T08:00:00.000Z' }))
    expect(shown).toContain('voting ended <time datetime="2026-11-20T08:00:00.000Z"')
    expect(shown).not.toContain('not known')
  })
})
