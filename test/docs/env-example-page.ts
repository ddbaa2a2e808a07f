// Renders `.env.example`: every setting of Rollcall with its default, from its declaration.
import { SETTINGS } from '../../infra/app/settings.ts'
import type { Setting } from '../../infra/base/runtime/config.ts'

export const ENV_EXAMPLE = new URL('../../.env.example', import.meta.url)

const INTRODUCTION = `# Every setting of Rollcall, with its default. None is required to run the demo chain.
# Copy this file to .env, remove the "#" before the settings that you change, and start with
#   node --env-file=.env dist/infra/app/cli.js start
# An empty value means the default. Settings that name a chain, a server, a file or a protection, and secrets, refuse it.
# Written by \`npm run docs:settings\`. Settings of the containers: infra/deploy/.env.example.
`

const settingLines = ({ env, secret, default: value, description }: Setting): string[] => [
  `# ${description ?? ''}${secret ? ' (secret)' : ''}`,
  `# ${env}=${value ?? ''}`,
]

export const envExample = (): string => {
  const sections = SETTINGS.map(({ title, settings }) => [
    '',
    `## ${title}`,
    ...settings.flatMap(settingLines),
  ])
  return `${[INTRODUCTION.trimEnd(), ...sections.flat()].join('\n')}\n`
}
