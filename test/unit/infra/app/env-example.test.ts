// Tests that `.env.example` has every setting, exactly as the code declares it.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ENV_EXAMPLE, envExample } from '../../../docs/env-example-page.ts'
import { settingNames } from '../../../support/source/setting-names.ts'

const written = readFileSync(ENV_EXAMPLE, 'utf8')
const settingLines = [...written.matchAll(/^# ([A-Z][A-Z_0-9]+=.*)$/gm)].map(([, line]) => line)

describe('.env.example', () => {
  it('is the output of `npm run docs:settings`', () => {
    expect(written).toBe(envExample())
  })

  it('has every setting once, with its declared default', () => {
    const values = parseEnv(settingLines.join('\n'))
    expect(new Set(Object.keys(values))).toEqual(settingNames())
    expect(settingLines).toHaveLength(settingNames().size)
    expect(values).toMatchObject({ DATA_DIR: '.rollcall', PORT: '8080', CHAIN_RPC_URLS: '' })
  })
})
