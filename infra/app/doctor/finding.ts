// What looking at a deployment found, each thing with what would mend it; and how a check that fails becomes such a finding.
import { AppError, hasCode } from '../../runtime/errors.ts'
import { withDeadline } from '../../runtime/retry.ts'

type Level = 'ok' | 'warning' | 'problem' | 'not checked'

export type Finding = {
  /** What was looked at: `settings`, `event log`. */
  area: string
  level: Level
  says: string
  /** What a person can do about it. */
  mend?: string
}

type Findings = {
  ok(says: string): Finding
  warning(says: string, mend: string): Finding
  problem(says: string, mend: string): Finding
  notChecked(says: string): Finding
}

export const findingsOf = (area: string): Findings => ({
  ok: (says) => ({ area, level: 'ok', says }),
  warning: (says, mend) => ({ area, level: 'warning', says, mend }),
  problem: (says, mend) => ({ area, level: 'problem', says, mend }),
  notChecked: (says) => ({ area, level: 'not checked', says }),
})

/** Users, passwords and paths of addresses may be secrets; their hosts are not. */
export const withoutSecrets = (text: string): string =>
  text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"]*@)?([^\s/?#"',;]*)[^\s"',;]*/gi, '$1$2')

const CHECK_TIMEOUT_MS = 15_000

/** Never rejects but with `ABORTED`: what goes wrong is a finding of its own. */
export const checkArea = async (
  area: string,
  signal: AbortSignal,
  check: (signal: AbortSignal) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> => {
  try {
    return await withDeadline(CHECK_TIMEOUT_MS, signal, check)
  } catch (error) {
    if (signal.aborted) throw error
    const message = withoutSecrets(error instanceof Error ? error.message : String(error))
    const { problem, notChecked } = findingsOf(area)
    if (hasCode(error, 'CONFIG_INVALID')) {
      // Lines of it are told where the settings are looked at.
      return [notChecked(message.includes('\n') ? 'a setting that it needs is not right' : message)]
    }
    return error instanceof AppError
      ? [problem(message, `see ${error.code} in infra/README.md`)]
      : [problem(message, 'nobody foresaw this: report it')]
  }
}

const AREA_COLUMN = 16
const LEVEL_COLUMN = 13

/** Whatever a foreign message holds, a line stays a line. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

const countOf = (findings: readonly Finding[], level: Level): number =>
  findings.filter((finding) => finding.level === level).length

/** A line, and one with the remedy where there is one. */
export const findingText = ({ area, level, says, mend }: Finding): string[] => {
  const first = `${area.padEnd(AREA_COLUMN)}${level.padEnd(LEVEL_COLUMN)}${oneLine(says)}`
  const indent = ' '.repeat(AREA_COLUMN + LEVEL_COLUMN)
  return mend === undefined ? [first] : [first, `${indent}→ ${oneLine(mend)}`]
}

export const findingsText = (findings: readonly Finding[]): string => {
  const lines = findings.flatMap(findingText)
  const [problems, warnings] = [countOf(findings, 'problem'), countOf(findings, 'warning')]
  const unchecked = countOf(findings, 'not checked')
  return [
    ...lines,
    '',
    `${problems} problems, ${warnings} warnings, ${unchecked} not checked`,
  ].join('\n')
}

export const hasProblem = (findings: readonly Finding[]): boolean =>
  countOf(findings, 'problem') > 0
