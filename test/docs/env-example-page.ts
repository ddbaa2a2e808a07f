// Renders `.env.example`: every setting of Rollcall with its default, from its declaration.

import { serviceSettings } from '../../infra/app/services/service-process.ts'
import { SETTINGS } from '../../infra/app/settings.ts'
import type { Setting } from '../../infra/base/runtime/config.ts'

export const ENV_EXAMPLE = new URL('../../.env.example', import.meta.url)

const INTRODUCTION = `# Every setting of Rollcall, with its default. None is required to run the demo chain.
# Copy this file to .env, remove the "#" before the settings that you change, and start with
#   node --env-file=.env dist/infra/app/cli.js start
# An empty value means the default. Settings that name a chain, a server, a file or a protection, and secrets, refuse it.
# Written by \`npm run docs:settings\`. Settings of the containers: infra/deploy/.env.example.
`

const GROUPS = [...SETTINGS, ['services in processes of their own', serviceSettings]] as const

const settingLines = ({ name, options }: Setting<unknown>): string[] => [
  `# ${options.description ?? ''}${options.secret ? ' (secret)' : ''}`,
  `# ${name}=${options.default ?? ''}`,
]

/** A setting of several services is in the first group that has it. */
export const envExample = (): string => {
  const seen = new Set<string>()
  const sections = GROUPS.map(([title, group]) => {
    const settings: readonly Setting<unknown>[] = Object.values(group)
    const unseen = settings.filter(({ name }) => !seen.has(name))
    for (const { name } of unseen) seen.add(name)
    return unseen.length === 0 ? [] : ['', `## ${title}`, ...unseen.flatMap(settingLines)]
  })
  return `${[INTRODUCTION.trimEnd(), ...sections.flat()].join('\n')}\n`
}
