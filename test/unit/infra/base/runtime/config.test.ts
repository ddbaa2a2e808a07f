// Settings: parsing, and one error with all mistakes.
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { isHttpUrl, readConfig } from '../../../../../infra/base/runtime/config.ts'

const url = Type.Refine(Type.String(), isHttpUrl)

describe('readConfig', () => {
  it('uses the default if a variable is absent, empty or blank', () => {
    const group = Type.Object({
      port: Type.Integer({ env: 'PORT', default: 0 }),
      name: Type.String({ env: 'NAME', default: 'x' }),
      pretty: Type.Boolean({ env: 'PRETTY', default: false }),
      urls: Type.Optional(Type.Array(url, { env: 'URLS' })),
    })
    expect(readConfig(group, { PORT: '', NAME: '  ' })).toEqual({
      port: 0,
      name: 'x',
      pretty: false,
      urls: undefined,
    })
  })

  it('refuses an empty value of a secret, and of a setting whose default names another target', () => {
    const password = Type.Optional(Type.String({ env: 'PASSWORD', secret: true }))
    const group = Type.Object({
      urls: Type.Array(url, { env: 'CHAIN_RPC_URLS', refusesEmpty: true }),
      chain: Type.Optional(Type.String({ env: 'CHAIN_ID', refusesEmpty: true })),
      directory: Type.String({ env: 'DATA_DIR', default: '.rollcall', refusesEmpty: true }),
      password,
    })
    const given = { CHAIN_RPC_URLS: '', CHAIN_ID: '  ', DATA_DIR: '', PASSWORD: '' }
    expect(() => readConfig(group, given)).toThrow(
      /CHAIN_RPC_URLS is empty.*\n.*CHAIN_ID is empty.*\n.*DATA_DIR is empty.*\n.*PASSWORD is empty/,
    )
    expect(readConfig(Type.Object({ password }), {})).toEqual({ password: undefined })
  })

  it.each(['1.5', '0x10', '1e3', 'NaN', '9007199254740993', '-1', '11'])(
    'refuses %s as a whole number from 0 to 10',
    (raw) => {
      const group = Type.Object({ count: Type.Integer({ env: 'COUNT', minimum: 0, maximum: 10 }) })
      expect(() => readConfig(group, { COUNT: raw })).toThrow('a whole number from 0 to 10')
    },
  )

  it('never shows the value of a wrong secret', () => {
    const expected = '32 characters'
    const secret = Type.String({ env: 'SECRET', secret: true, minLength: 32, expected })
    expect(() => readConfig(Type.Object({ secret }), { SECRET: 'hunter2' })).toThrow(
      /SECRET: the given value is not right; expected 32 characters$/,
    )
  })
})
