// Checks the settings: the value of each, and variables that look like a setting and have no effect.
import { readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { readTogether } from '../read-together.ts'
import { readSettings } from '../settings.ts'
import { findUnusedVariables, unusedVariableText } from '../unused-variables.ts'
import { createAreaFindings, type Finding, withoutSecrets } from './finding.ts'

const { ok, warning, problem } = createAreaFindings('settings')

/** Any part of a configured URL may contain a key. */
const settingText = (line: string): string =>
  withoutSecrets(
    line.replace(/^\s*- /, '').replace(/^(\w+_URLS?: )".*" is not/, '$1the given value is not'),
  )

const checkValues = (env: Environment): Finding[] => {
  try {
    readTogether({
      services: () => readSettings(env),
      ...(usesKafka(env) ? { kafka: () => readKafkaConfig(env) } : {}),
    })
    return [ok('all settings are valid')]
  } catch (error) {
    if (!hasCode(error, 'CONFIG_INVALID')) throw error
    const [, ...lines] = error.message.split('\n')
    return lines.map((line) =>
      problem(settingText(line), 'correct it; "rollcall settings" lists every setting'),
    )
  }
}

export const checkSettings = (env: Environment): Finding[] => [
  ...checkValues(env),
  ...findUnusedVariables(env).map((unused) =>
    warning(
      unusedVariableText(unused),
      `${unused.setting === null ? '' : 'rename or '}remove ${unused.variable}`,
    ),
  ),
]
